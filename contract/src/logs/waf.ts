/** The requests that WAF rules matched. */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Moment, SortOrder } from '../fields.ts'
import { pageOf, pageSizeMax } from '../paging.ts'
import { AccessLogRow } from './access.ts'
import { LogFilter } from './filter.ts'

export const WafLogRow = AccessLogRow.pick({
  ...({ id: true, time: true, siteID: true, domainName: true, clientIP: true, country: true } as const),
  ...({ method: true, url: true, cause: true, action: true, reqID: true, status: true } as const),
  ...({ wafScore: true, waf: true } as const),
}).extend({ ruleID: z.number().int().describe('The rule that refused, else the first that matched.') })
export type WafLogRow = z.output<typeof WafLogRow>

export const wafLog = {
  list: endpoint('logs.waf', 'POST', '/:tier/logs/waf', {
    can: 'logs.read',
    body: LogFilter.extend({
      startTime: Moment,
      endTime: Moment,
      page: z.number().int().min(1).max(1000).default(1),
      pageSize: z.number().int().min(1).max(pageSizeMax).default(10),
      sortBy: z.enum(['time', 'status']).default('time'),
      orderBy: SortOrder.default('desc'),
    }).refine((body) => body.startTime < body.endTime, { path: ['endTime'], message: 'wrongFormat' }),
    reply: pageOf(WafLogRow).extend({ isCapped: z.boolean() }),
    kind: 'list',
    summary: 'Returns a page of the requests that matched WAF rules.',
  }),
}
