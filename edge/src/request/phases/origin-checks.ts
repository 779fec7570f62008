/**
 * Health checks: each node checks the origins of recently visited domains, with the site's own settings. Each second, a
 * timer begins a turn by a request to the control socket, because sockets have nginx's full configuration there.
 */
import type { SettingsPart } from '@breakwater/contract/edge/site-parts.ts'
import { type CheckProblem, noteCheck } from '../domains/health.ts'
import { open, type Wanted } from '../domains/origin-connection.ts'
import type { Origin, Origins } from '../domains/origins.ts'
import { addressesOf } from '../domains/resolve.ts'
import { node } from '../nginx/node.ts'
import { secretOf } from '../nginx/secrets.ts'
import { type HostEntry, hostEntry } from '../sites/site-cache.ts'

export type OriginCheck = NonNullable<SettingsPart['originCheck']>

const dict = ngx.shared.checks!

/** Seconds without visitors after which a domain's origins are no longer checked. */
const visitedSeconds = 600
const domainsMax = 5000
/** Checks that one turn begins at most; the rest follow in the next turn. */
const turnMax = 200

/** Call when a request for a host whose site has health checks goes to an origin. */
export function noteVisit(host: string): void {
  dict.add(`h${host}`, 1, visitedSeconds)
}

/** Requests a turn without waiting for it to end. */
export function beginTurn(): void {
  if (dict.get_keys(1).length === 0) return
  const socket = ngx.socket.tcp()
  socket.settimeouts(1000, 1000, 1000)
  const [isConnected] = socket.connect(`unix:${node().folder}/run/control.sock`)
  if (isConnected === undefined) return
  socket.send('POST /checks HTTP/1.0\r\nContent-Length: 2\r\n\r\n{}')
  socket.close()
}

/** Runs all checks that are due. */
export function runChecks(): void {
  const threads: object[] = []
  for (const key of dict.get_keys(domainsMax)) {
    const host = key.startsWith('h') ? key.substring(1) : ''
    const entry = host === '' ? undefined : hostEntry(host)
    const check = entry?.site.settings.originCheck
    if (entry === undefined || check === undefined) continue
    for (const origins of [entry.domain.origins, entry.domain.tlsOrigins]) {
      if (origins === undefined) continue
      for (const origin of origins.all) {
        if (threads.length >= turnMax) break
        // Due once per interval; turns are a second apart.
        const [isDue] = dict.add(`d${origin.key}`, 1, check.interval - 0.5)
        if (isDue) threads.push(ngx.thread.spawn(() => checkOne(entry, host, origins, origin, check)))
      }
    }
  }
  for (const thread of threads) ngx.thread.wait(thread)
}

function checkOne(entry: HostEntry, host: string, origins: Origins, origin: Origin, check: OriginCheck): void {
  noteCheck(origin.key, problemOf(entry, host, origins, origin, check), check)
}

/** Why an origin fails the check. Returns undefined if it passes. */
function problemOf(
  { site, domain }: HostEntry,
  host: string,
  { allowed }: Origins,
  origin: Origin,
  check: OriginCheck,
): CheckProblem | undefined {
  const [address] = addressesOf(origin, allowed)
  if (address === undefined) return 'dns'
  const { originTls, originHost, credentialHeader } = site.settings
  const sent = originHost ?? domain.originHost ?? host
  const ms = check.timeout * 1000
  const wanted: Wanted = {
    tls: origin.tls ? originTls : undefined,
    certificate: site.originCertificate,
    name: originTls.serverName ?? sent,
    ...{ connectMs: ms, idleMs: ms, firstByteMs: ms },
  }
  const opened = open({ address, port: origin.port }, wanted, true)
  if (typeof opened === 'string') return opened
  const { socket } = opened
  if (check.type === 'tcp') {
    socket.close()
    return undefined
  }
  const credential =
    credentialHeader === undefined || site.credentialRef === undefined
      ? undefined
      : secretOf(site.site, site.credentialRef)
  const told = credential === undefined ? '' : `${credentialHeader}: ${credential}\r\n`
  socket.send(
    `GET ${check.path ?? '/'} HTTP/1.1\r\nHost: ${sent}\r\nUser-Agent: Breakwater-Health-Check\r\nAccept: */*\r\n${told}Connection: close\r\n\r\n`,
  )
  const [line, problem] = socket.receive('*l')
  socket.close()
  if (line === undefined) return problem === 'timeout' ? 'timeout' : 'reset'
  const [status] = string.match(line, '^HTTP/1%.[01] (%d%d%d)')
  if (status === undefined) return 'invalid'
  const isRight = (check.codes ?? []).some((code) => code === status || code === `${status.charAt(0)}xx`)
  return isRight ? undefined : 'status'
}
