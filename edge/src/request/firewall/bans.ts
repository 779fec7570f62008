/** Bans: the site refuses addresses for a while after repeated refusals or unsolved challenges. Allow lists win. */
import { causes } from '@breakwater/contract/edge/causes.ts'
import type { EdgeRequest, Guard, Tools } from '../lib/guard.ts'

/** For how long an address is banned after repeated refusals; absent if these do not lead to a ban. */
export type Bans = { seconds: number | undefined }

export const bans: Guard<Bans, 'firewall'> = {
  name: 'bans',
  takes: 'firewall',
  phase: 'headers',
  compile({ siteMode, antiCC }) {
    if (siteMode !== undefined) return { seconds: siteMode.blockSeconds }
    return antiCC === undefined || antiCC.length === 0 ? undefined : { seconds: undefined }
  },
  check(_: Bans, request: EdgeRequest, tools: Tools) {
    if (!tools.isBanned(request.site, request.addressBytes)) return undefined
    return { action: 'block', guard: 'bans', rule: 0, cause: causes.rateLimit, status: 429, blockType: 0 }
  },
}
