/**
 * Socket addresses that are banned from all sites of the zone: by this node, or as the agent reports from others. If
 * the agent is permitted to, it has the kernel drop their packets, so that hardly any of them arrive here.
 */
import type { BegunBan } from '@breakwater/contract/edge/node-disk.ts'
import { askedMax, type ZoneBanCause, zoneBanSeconds, zoneWide } from '@breakwater/contract/edge/zone-bans.ts'
import { encode } from 'cjson.safe'
import { formatAddress } from '../lib/address.ts'
import { ban, isBanned } from '../nginx/bans.ts'
import { appendFile } from '../nginx/files.ts'
import { node } from '../nginx/node.ts'
import { configuration } from '../sites/configuration.ts'

/**
 * Whether any setting bans from the zone: once the last one is removed, the bans no longer apply. Valid only after
 * `hostEntry`.
 */
export function bansFromZone(): boolean {
  const { invalidDomainLimitCount, tlsLimitCount, anticc } = configuration()
  return invalidDomainLimitCount !== undefined || tlsLimitCount !== undefined || anticc !== undefined
}

export function isShutOut(bytes: string): boolean {
  return isBanned(zoneWide, bytes)
}

/** What the request asks for, in readable form: there is no log row for an unknown host. */
function askedFor(): string {
  const vars = ngx.var
  return `${vars.request_method} ${vars.scheme}://${vars.host}${vars.request_uri}`
}

/**
 * Bans an address, given by its bytes, and writes the line by which the agent reports it and the request that led to
 * it. `handshake` is what was requested, if it was a handshake.
 */
export function banFromZone(bytes: string, cause: ZoneBanCause, handshake?: string): void {
  if (!ban(zoneWide, bytes, zoneBanSeconds, {})) return
  const now = ngx.now()
  const address = formatAddress(bytes)
  const begun: BegunBan = {
    ...{ site: zoneWide, address, guard: cause, rule: 0, cause: 444 },
    ...{ at: Math.floor(now), seconds: zoneBanSeconds },
    // Identifies a line that is reported twice.
    requestId: handshake === undefined ? (ngx.var.bw_id as string) : ngx.md5(`${address} ${now} ${node().node}`),
    reference: '',
    asked: string.sub(handshake ?? askedFor(), 1, askedMax),
  }
  if (!appendFile(`${node().folder}/spool/bans.log`, `${encode(begun)}\n`))
    ngx.log(ngx.ERR, 'a ban stays on this node alone: the spool cannot be written')
}
