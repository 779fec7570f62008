/**
 * Addresses of sockets that are banned from all sites of the zone: by this node, and as the agent tells of others. Where
 * the agent may it has the kernel drop their packets, so that hardly anything of them arrives here.
 */
import type { BegunBan } from '@breakwater/contract/edge/node-disk.ts'
import { askedMax, type ZoneBanCause, zoneBanSeconds, zoneWide } from '@breakwater/contract/edge/zone-bans.ts'
import { encode } from 'cjson.safe'
import { formatAddress } from '../lib/address.ts'
import { ban, isBanned } from '../nginx/bans.ts'
import { appendFile } from '../nginx/files.ts'
import { node } from '../nginx/node.ts'
import { configuration } from '../sites/configuration.ts'

/** Whether anything is set that bans from the zone: with the last of it the bans are over. Valid after `hostEntry`. */
export function bansFromZone(): boolean {
  const { invalidDomainLimitCount, tlsLimitCount, anticc } = configuration()
  return invalidDomainLimitCount !== undefined || tlsLimitCount !== undefined || anticc !== undefined
}

export function isShutOut(bytes: string): boolean {
  return isBanned(zoneWide, bytes)
}

/** What the request asks for, as people read it: of a host that nobody has there is no row. */
function askedFor(): string {
  const vars = ngx.var
  return `${vars.request_method} ${vars.scheme}://${vars.host}${vars.request_uri}`
}

/**
 * Bans an address, given by its bytes, and leaves the line by which the agent tells of it and of the request that led to
 * it. `handshake` is what was asked for where a handshake did.
 */
export function banFromZone(bytes: string, cause: ZoneBanCause, handshake?: string): void {
  if (!ban(zoneWide, bytes, zoneBanSeconds, {})) return
  const now = ngx.now()
  const address = formatAddress(bytes)
  const begun: BegunBan = {
    ...{ site: zoneWide, address, guard: cause, rule: 0, cause: 444 },
    ...{ at: Math.floor(now), seconds: zoneBanSeconds },
    // By it a line that is told twice is known to be the same.
    requestId: handshake === undefined ? (ngx.var.bw_id as string) : ngx.md5(`${address} ${now} ${node().node}`),
    reference: '',
    asked: string.sub(handshake ?? askedFor(), 1, askedMax),
  }
  if (!appendFile(`${node().folder}/spool/bans.log`, `${encode(begun)}\n`))
    ngx.log(ngx.ERR, 'a ban stays on this node alone: the spool cannot be written')
}
