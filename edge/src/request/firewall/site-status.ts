/** Refuses all requests to a site that is paused by its operator, over its traffic quota, or expired. */

import { causes } from '@breakwater/contract/edge/causes.ts'
import type { SettingsPart } from '@breakwater/contract/edge/site-parts.ts'
import type { EdgeRequest, Guard } from '../lib/guard.ts'

type Closed = NonNullable<SettingsPart['closed']>

export const siteStatus: Guard<Closed, 'settings'> = {
  name: 'siteStatus',
  takes: 'settings',
  phase: 'line',
  compile: ({ closed }) => closed,
  check(closed: Closed, request: EdgeRequest) {
    if (request.time < closed.from) return undefined
    return { action: 'block', guard: 'siteStatus', rule: 0, cause: causes.accessRule, status: 403, blockType: 0 }
  },
}
