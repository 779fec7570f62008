/** Connections of the relay to origins: opened, verified, and kept for later requests with the same identity. */
import type { OriginFailure } from '@breakwater/contract/edge/origin-failures.ts'
import { type OriginCertificate, parsedOf } from './origin-certificate.ts'
import { isBelieved, type OriginTls } from './origin-tls.ts'

export type Place = { address: string; port: number }

export type Wanted = {
  /** Absent for plain text. */
  tls: OriginTls | undefined
  /** The client certificate for the origin, over TLS. */
  certificate: OriginCertificate | undefined
  /** The server name for the handshake. */
  name: string
  connectMs: number
  idleMs: number
  firstByteMs: number
}

export type Opened = { socket: TcpSocket; isReused: boolean }

/** How many milliseconds an idle connection is kept, and how many are kept per identity and worker. */
const keptMs = 60_000
const keptMax = 64

/**
 * The name of the pool whose connections are interchangeable for a request. nginx's own upstreams pool connections by
 * address alone, and would send one site's request over a connection that was verified for another site.
 */
function poolOf({ address, port }: Place, { tls, name, certificate }: Wanted): string {
  if (tls === undefined) return `${address}:${port}`
  const own = certificate === undefined ? '' : `${certificate.site}.${certificate.ref}`
  return `${address}:${port}|${name}|${tls.identity}|${own}`
}

/** A connection ready for a request, or why there is none. `isFresh`: must not be a kept one. */
export function open(place: Place, wanted: Wanted, isFresh: boolean): Opened | OriginFailure {
  const socket = ngx.socket.tcp()
  socket.settimeouts(wanted.connectMs, wanted.idleMs, wanted.firstByteMs)
  const pool = poolOf(place, wanted)
  // Nothing is ever kept in this pool.
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
  // The handshake counts as part of connecting.
  socket.settimeouts(connectMs, connectMs, connectMs)
  let session: unknown
  let problem: string | undefined
  // If the origin answers immediately, a failed verification is reported only to callers that ask for the session, and
  // as a thrown error. Otherwise a connection that failed verification would be used.
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

/** Keeps a connection open after its answer has ended. */
export function keep(socket: TcpSocket): void {
  const [isKept] = socket.setkeepalive(keptMs, keptMax)
  if (isKept === undefined) socket.close()
}
