/** Statistics (constants card.*, top.*, timeSeries.types; gaps T). The call, not the number, decides what a type means. */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Moment } from '../fields.ts'
import { timeSeriesPageSizeMax } from '../paging.ts'

export const cardTypes = { request: 3, ip: 4, status: 5, blacklist: 14, block: 15 } as const
export const topTypes = {
  country: 11,
  city: 12,
  referer: 14,
  blacklist: 18,
  url: 19,
  userAgent: 20,
  blockCountry: 21,
  blockCity: 22,
  attackMethods: 23,
  attackDomains: 24,
  attackIPs: 25,
} as const
/** 2 requests passed and blocked · 12 blacklist hits · 13 WAF hits (gaps T-4); ours beyond: 101 traffic · 102 status classes · 103 cache · 104 origin requests. */
export const seriesTypes = {
  requests: 2,
  blacklist: 12,
  waf: 13,
  traffic: 101,
  status: 102,
  cache: 103,
  origin: 104,
} as const
/** The steps that exist, in minutes (gaps T-12). */
export const minutesSteps = [1, 5, 15, 60, 1440] as const

const ids = z.array(z.number().int()).max(500).default([])
const scope = { siteIDs: ids, domainIDs: ids, zoneIDs: ids, startTime: Moment, endTime: Moment }
const one = <const T extends Record<string, number>>(types: T) => z.literal(Object.values(types) as T[keyof T][])
const ordered = { path: ['endTime'], message: 'wrongFormat' }

export const Point = z.object({
  time: z.number().int().describe('Epoch seconds.'),
  value: z.record(z.string(), z.number()),
})
export type Point = z.output<typeof Point>

export const statistics = {
  info: endpoint('stat.info', 'POST', '/:tier/statistics/info', {
    can: 'statistics.read',
    body: z
      .strictObject({ type: z.union([one(cardTypes), z.array(one(cardTypes)).min(1)]), ...scope })
      .refine((q) => q.startTime < q.endTime, ordered),
    reply: z.record(z.string(), z.record(z.string(), z.number())),
    summary: 'Cards: data keyed by widget id.',
  }),
  timeSeries: endpoint('stat.timeSeries', 'POST', '/:tier/statistics/timeSeries', {
    can: 'statistics.read',
    body: z
      .strictObject({
        type: one(seriesTypes),
        ...scope,
        minutesStep: z.literal([...minutesSteps]).default(5),
        page: z.number().int().min(1).default(1),
        pageSize: z.number().int().min(1).max(timeSeriesPageSizeMax).default(timeSeriesPageSizeMax),
      })
      .refine((q) => q.startTime < q.endTime, ordered),
    reply: z.object({ data: z.array(Point), total: z.number().int(), minutesStep: z.number().int() }),
    kind: 'list',
    summary: 'A time series. The step is raised where the points would be too many.',
  }),
  top: endpoint('stat.top', 'POST', '/:tier/statistics/top', {
    can: 'statistics.read',
    body: z
      .strictObject({
        type: one(topTypes),
        top: z.number().int().min(1).max(100).default(10),
        ...scope,
        countType: z.enum(['reqCount', 'traffic']).default('reqCount'),
      })
      .refine((q) => q.startTime < q.endTime, ordered),
    reply: z.object({ data: z.array(z.object({ name: z.string(), value: z.number() })), total: z.number() }),
    kind: 'list',
    summary: 'A top list.',
  }),
}
