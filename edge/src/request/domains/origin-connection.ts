/** Connections of the relay to origins: opened, verified, and kept for later requests of the same identity. */
import type { OriginFailure } from '@breakwater/contract/edge/origin-failures.ts'
import { type OriginCertificate, parsedOf } from './origin-certificate.ts'
import { isBelieved, type OriginTls } from './origin-tls.ts'

export type Place = { address: string; port: number }

export type Wanted = {
  /** Absent for plain text. */
  tls: OriginTls | undefined
  /** What the origin is shown over TLS. */
  certificate: OriginCertificate | undefined
  /** The name for the handshake. */
  name: string
  connectMs: number
  idleMs: number
  firstByteMs: number
}

export type Opened = { socket: TcpSocket; isReused: boolean }

/** Milliseconds that a connection is kept without a request, and how many are kept for one identity in a worker. */
const keptMs = 60_000
const keptMax = 64

/**
 * What connections have in common that may serve the same request: nginx' own upstreams keep them by address alone, and
 * would send one site's request over a connection that was verified for another's.
 */
function poolOf({ address, port }: Place, { tls, name, certificate }: Wanted): string {
  if (tls === undefined) return `${address}:${port}`
  const own = certificate === undefined ? '' : `${certificate.site}.${certificate.ref}`
  return `${address}:${port}|${name}|${tls.identity}|${own}`
}

/** A connection that is ready for a request, or why there is none. `isFresh`: a kept one will not do. */
export function open(place: Place, wanted: Wanted, isFresh: boolean): Opened | OriginFailure {
  const socket = ngx.socket.tcp()
  socket.settimeouts(wanted.connectMs, wanted.idleMs, wanted.firstByteMs)
  const pool = poolOf(place, wanted)
  // Nothing is ever kept under this name.
  const options = isFresh ? { pool: `fresh|${pool}` } : { pool, pool_size: keptMax }
  const [isConnected, problem] = socket.connect(place.address, place.port, options)
  if (isConnected === undefined) return problem === 'timeout' ? 'timeout' : 'connect'
  const [times] = socket.getreusedtimes()
  if ((times ?? 0) > 0) return { socket, isReused: true }
  const failure = wanted.tls === undefined ? undefined : shakeHands(socket, wanted.tls, wanted)
  if (failure === undefined) return { socket, isReused: false }
  socket.close()
  return failure
}

function shakeHands(socket: TcpSocket, tls: OriginTls, wanted: Wanted) {
  const { name, certificate, connectMs, idleMs, firstByteMs } = wanted
  if (certificate !== undefined) {
    const parsed = parsedOf(certificate)
    if (parsed === undefined) return 'tls'
    socket.setclientcert(parsed.chain, parsed.key)
  }
  // The handshake is part of connecting.
  socket.settimeouts(connectMs, connectMs, connectMs)
  let session: unknown
  let problem: string | undefined
  // Where the origin answers at once, a failed verification is told only to who asks for the session, as an error that
  // is thrown: a connection would be used that was refused.
  const [isOver] = pcall(() => {
    const [found, trouble] = socket.sslhandshake(
      tls.verify === 'off' ? false : undefined,
      name,
      tls.verify === 'system',
    )
    session = found
    problem = trouble
  })
  socket.settimeouts(connectMs, idleMs, firstByteMs)
  if (!isOver || session === undefined) return problem === 'timeout' ? 'timeout' : 'tls'
  return isBelieved(tls, session, name) ? undefined : 'tls'
}

/** Keeps a connection whose answer has ended. */
export function keep(socket: TcpSocket): void {
  const [isKept] = socket.setkeepalive(keptMs, keptMax)
  if (isKept === undefined) socket.close()
}
