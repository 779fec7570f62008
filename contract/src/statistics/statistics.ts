/** Statistics (constants card.*, top.*, timeSeries.types; gaps T). The call, not the number, decides what a type means. */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Moment } from '../fields.ts'
import { LogFilter } from '../logs/access.ts'
import { pageOf, pageSizeMax, timeSeriesPageSizeMax } from '../paging.ts'

export const cardTypes = { request: 3, ip: 4, status: 5, blacklist: 14, block: 15 } as const
/** Given by the specification up to 25; ours beyond: what else a request can be counted by. */
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
  method: 101,
  httpVersion: 102,
  scheme: 103,
  status: 104,
  host: 105,
  cache: 106,
  address: 107,
} as const
/** 2 requests passed and blocked · 12 blacklist hits · 13 WAF hits (gaps T-4); ours beyond: 101 traffic · 102 status
 * classes, by the product's own code where the edge decided · 103 cache · 104 origin requests · 105 bandwidth in bits a second · 106 requests a second. */
export const seriesTypes = {
  requests: 2,
  blacklist: 12,
  waf: 13,
  traffic: 101,
  status: 102,
  cache: 103,
  origin: 104,
  bandwidth: 105,
  rate: 106,
} as const
/** The steps that exist, in minutes (gaps T-12). */
export const minutesSteps = [1, 5, 15, 60, 1440] as const

const ids = z.array(z.number().int()).max(500).default([])
/** What only counts, and what does not, by the fields of the log: each number here leads to the same rows there. */
export const StatisticsFilter = LogFilter.omit({ siteIDs: true, domainIDs: true, zoneIDs: true, reqID: true })
export type StatisticsFilter = z.output<typeof StatisticsFilter>

const scope = {
  siteIDs: ids,
  domainIDs: ids,
  zoneIDs: ids,
  startTime: Moment,
  endTime: Moment,
  filter: StatisticsFilter.prefault({}),
}
const minutesStep = z.literal([...minutesSteps]).default(5)
const countType = z.enum(['reqCount', 'traffic']).default('reqCount')
const one = <const T extends Record<string, number>>(types: T) => z.literal(Object.values(types) as T[keyof T][])
const ordered = { path: ['endTime'], message: 'wrongFormat' }

export const Point = z.object({
  time: z.number().int().describe('Epoch seconds.'),
  value: z.record(z.string(), z.number()),
})
export type Point = z.output<typeof Point>

export const rankColumns = ['reqCount', 'traffic', 'cache', 'bandwidth', 'upstreamCount'] as const
export const DomainRank = z.object({
  domainName: z.string(),
  siteID: z.number().int(),
  siteName: z.string(),
  reqCount: z.number(),
  traffic: z.number().describe('Bytes sent.'),
  cache: z.number().describe('Requests answered from the cache.'),
  bandwidth: z.number().describe('Bits a second, the mean over the range.'),
  upstreamCount: z.number().describe('Requests that went to an origin.'),
})
export type DomainRank = z.output<typeof DomainRank>

/** The longest top list: what an hour keeps of a site's names. */
export const topMax = 500

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
        minutesStep,
        page: z.number().int().min(1).default(1),
        pageSize: z.number().int().min(1).max(timeSeriesPageSizeMax).default(timeSeriesPageSizeMax),
      })
      .refine((q) => q.startTime < q.endTime, ordered),
    reply: z.object({
      data: z.array(Point),
      total: z.number().int(),
      minutesStep: z.number().int(),
      until: z.number().int().describe('Epoch seconds: a point whose step ends later is of a part of its step only.'),
    }),
    kind: 'list',
    summary: 'A time series. The step is raised where the points would be too many.',
  }),
  top: endpoint('stat.top', 'POST', '/:tier/statistics/top', {
    can: 'statistics.read',
    body: z
      .strictObject({
        type: one(topTypes),
        top: z.number().int().min(1).max(topMax).default(10),
        ...scope,
        countType,
      })
      .refine((q) => q.startTime < q.endTime, ordered),
    reply: z.object({ data: z.array(z.object({ name: z.string(), value: z.number() })), total: z.number() }),
    kind: 'list',
    summary: 'A top list.',
  }),
  list: endpoint('stat.list', 'POST', '/:tier/statistics/list', {
    can: 'statistics.read',
    body: z
      .strictObject({
        type: z.literal(1).default(1).describe('1: the domains by rank.'),
        ...scope,
        page: z.number().int().min(1).max(10_000).default(1),
        pageSize: z.number().int().min(1).max(pageSizeMax).default(10),
        sortBy: z.enum(rankColumns).default('reqCount'),
        orderBy: z.enum(['asc', 'desc']).default('desc'),
      })
      .refine((q) => q.startTime < q.endTime, ordered),
    reply: pageOf(DomainRank),
    kind: 'list',
    summary: 'The domains by what they served.',
  }),
  listExport: endpoint('stat.list.export', 'POST', '/:tier/statistics/list/export', {
    can: 'statistics.read',
    body: z
      .strictObject({
        of: z.enum(['list', 'timeSeries', 'top']).default('list'),
        type: z.number().int().default(1),
        ...scope,
        minutesStep,
        countType,
      })
      .refine((q) => q.startTime < q.endTime, ordered)
      .refine((q) => typesOf[q.of].includes(q.type), { path: ['type'], message: 'wrongFormat' }),
    kind: 'raw',
    summary: 'A chart, a top list or the domains by rank as CSV: UTF-8 with BOM, its head in the language asked for.',
  }),
}

const typesOf: Record<'list' | 'timeSeries' | 'top', readonly number[]> = {
  list: [1],
  timeSeries: Object.values(seriesTypes),
  top: Object.values(topTypes),
}
