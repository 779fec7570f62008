/** Bans the client of a request on this node, and writes the line by which the agent tells the other nodes. */
import type { BegunBan } from '@breakwater/contract/edge/node-disk.ts'
import { encode } from 'cjson.safe'
import { isAllowed } from '../guards/guards.ts'
import { formatAddress, inRangeSet } from '../lib/address.ts'
import type { EdgeRequest, Verdict } from '../lib/guard.ts'
import { ban } from '../nginx/bans.ts'
import { appendFile } from '../nginx/files.ts'
import { node } from '../nginx/node.ts'
import type { RequestContext } from './context.ts'
import { liveTools } from './live-tools.ts'
import { referenceOf } from './reference.ts'

/**
 * Bans the address for the reason its last request was refused. Never bans an address on the allow list or one of the
 * site's own proxies.
 */
export function beginBan(request: EdgeRequest, revision: number, verdict: Verdict, seconds: number): void {
  const entry = (ngx.ctx as Partial<RequestContext>).entry
  if (entry === undefined || isAllowed(entry.steps, request, liveTools)) return
  const proxies = entry.site.settings.trustedProxies
  if (proxies !== undefined && inRangeSet(proxies, request.addressBytes)) return
  if (!ban(request.site, request.addressBytes, seconds, verdict.ban ?? {})) return
  const begun: BegunBan = {
    site: request.site,
    address: formatAddress(request.addressBytes),
    guard: verdict.guard,
    rule: verdict.rule,
    cause: verdict.cause,
    at: Math.floor(request.time),
    seconds,
    requestId: ngx.var.bw_id as string,
    reference: referenceOf(request, revision, verdict),
  }
  if (!appendFile(`${node().folder}/spool/bans.log`, `${encode(begun)}\n`))
    ngx.log(ngx.ERR, 'a ban stays on this node alone: the spool cannot be written')
}
