/** Statistics. A type number has a meaning only within its call. */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { numberOf, wordOf } from '../enumeration.ts'
import { Id, IdFilter, Moment, SortOrder } from '../fields.ts'
import { LogFilter } from '../logs/filter.ts'
import { pageOf, pageSizeMax, timeSeriesPageSizeMax } from '../paging.ts'

/**
 * Defined by the specification up to 15. 101 is our own: the peak bandwidth, with `time`, the start of its interval
 * (epoch seconds).
 */
export const cardTypes = { request: 3, ip: 4, status: 5, blacklist: 14, block: 15, peak: 101 } as const
/** Peak bandwidth is the highest mean over this many seconds, whatever the range. */
export const peakSeconds = 300
/** Defined by the specification up to 25; higher ones are our own: what else requests can be counted by. */
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
  network: 108,
} as const
/**
 * 2 requests passed and blocked · 12 blacklist hits · 13 WAF hits: blocked, challenged, observed; our own: 101 traffic
 * · 102 status classes, by the product's own code if the edge decided · 103 cache · 104 origin requests · 105 bandwidth
 * in bits per second · 106 requests per second.
 */
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
/** The available steps, in minutes. */
export const minutesSteps = [1, 5, 15, 30, 60, 1440] as const
const stepNames = { minute: 1, fiveMinutes: 5, quarterHour: 15, halfHour: 30, hour: 60, day: 1440 } as const

const ids = z.array(IdFilter).max(500).default([])
/** What is counted and what is excluded, by the fields of the log: each number here leads to the same rows there. */
export const StatisticsFilter = LogFilter.omit({ siteIDs: true, domainIDs: true, zoneIDs: true, reqID: true })
export type StatisticsFilter = z.output<typeof StatisticsFilter>

/** Whose numbers, and for which time. */
export const statisticsScope = {
  siteIDs: ids,
  domainIDs: ids,
  domainTags: z
    .array(z.string().max(64, 'charactersExceedLimit'))
    .max(20, 'itemsExceedLimit')
    .optional()
    .describe('Of the sites, only the domains with one of these tags, 500 at most.'),
  zoneIDs: ids,
  startTime: Moment,
  endTime: Moment,
}
const scope = { ...statisticsScope, filter: StatisticsFilter.prefault({}) }
const minutesStep = numberOf('MinutesStep', 'The step of a series in minutes', stepNames).default(5)
const countType = wordOf('CountType', 'What is counted: requests or bytes sent.', ['reqCount', 'traffic']).default(
  'reqCount',
)
const CardType = numberOf('CardType', 'A card of statistics', cardTypes)
const SeriesType = numberOf('SeriesType', 'What a series shows', seriesTypes)
const TopType = numberOf('TopType', 'What a top list ranks', topTypes)
const until = z
  .number()
  .int()
  .describe(
    'Epoch seconds: up to here the numbers are complete. A point whose step ends later is of a part of its step only.',
  )
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

/** The longest top list: what is kept per hour of a site's names. */
export const topMax = 500

/** The most domains per call: one page of a list. */
const domainsOfPage = 100

export const statistics = {
  domainHours: endpoint('stat.domains.hours', 'POST', '/:tier/statistics/domains/hours', {
    can: 'statistics.read',
    body: z.strictObject({ domainIDs: z.array(Id).min(1, 'required').max(domainsOfPage, 'itemsExceedLimit') }),
    reply: pageOf(
      z.object({
        id: z.number().int(),
        requests: z.number().int().describe('Of the last 24 hours.'),
        hours: z.array(z.number().int()).describe('Requests of each hour, the oldest first; the last one is not over.'),
      }),
    ),
    kind: 'list',
    beyond: true,
    summary: 'Returns the requests of domains in each of the last 24 hours.',
  }),
  info: endpoint('stat.info', 'POST', '/:tier/statistics/info', {
    can: 'statistics.read',
    body: z
      .strictObject({ type: z.union([CardType, z.array(CardType).min(1)]), ...scope })
      .refine((q) => q.startTime < q.endTime, ordered),
    reply: z.object({
      data: z.record(z.string(), z.record(z.string(), z.number())),
      until,
      untils: z
        .record(z.string(), z.number().int())
        .describe('The same of each card: what the exact counters of the nodes know reaches further than the rows.'),
    }),
    kind: 'list',
    summary: 'Returns the data of cards, keyed by widget id.',
  }),
  timeSeries: endpoint('stat.timeSeries', 'POST', '/:tier/statistics/timeSeries', {
    can: 'statistics.read',
    body: z
      .strictObject({
        type: SeriesType,
        ...scope,
        minutesStep,
        page: z.number().int().min(1).max(1_000_000).default(1),
        pageSize: z.number().int().min(1).max(timeSeriesPageSizeMax).default(timeSeriesPageSizeMax),
      })
      .refine((q) => q.startTime < q.endTime, ordered),
    reply: z.object({
      data: z.array(Point),
      total: z.number().int(),
      minutesStep: z.number().int(),
      until,
    }),
    kind: 'list',
    summary: 'Returns a time series. The step is raised if there would be too many points.',
  }),
  top: endpoint('stat.top', 'POST', '/:tier/statistics/top', {
    can: 'statistics.read',
    body: z
      .strictObject({
        type: TopType,
        top: z.number().int().min(1).max(topMax).default(10),
        ...scope,
        countType,
      })
      .refine((q) => q.startTime < q.endTime, ordered),
    reply: z.object({
      data: z.array(
        z.object({
          name: z.string(),
          value: z.number(),
          label: z.string().optional().describe('What the data calls the network of that number.'),
        }),
      ),
      total: z.number(),
      until,
    }),
    kind: 'list',
    summary: 'Returns a top list.',
  }),
  list: endpoint('stat.list', 'POST', '/:tier/statistics/list', {
    can: 'statistics.read',
    body: z
      .strictObject({
        type: z.literal(1).default(1).describe('1: the domains by rank.'),
        ...scope,
        page: z.number().int().min(1).max(10_000).default(1),
        pageSize: z.number().int().min(1).max(pageSizeMax).default(10),
        sortBy: wordOf('RankColumn', 'A column of the ranking of domains.', rankColumns).default('reqCount'),
        orderBy: SortOrder.default('desc'),
      })
      .refine((q) => q.startTime < q.endTime, ordered),
    reply: pageOf(DomainRank).extend({ until }),
    kind: 'list',
    summary: 'Ranks domains by what they served.',
  }),
  listExport: endpoint('stat.list.export', 'POST', '/:tier/statistics/list/export', {
    can: 'statistics.read',
    body: z
      .strictObject({
        of: wordOf('StatisticsTable', 'Which table is exported.', ['list', 'timeSeries', 'top']).default('list'),
        type: z.number().int().default(1),
        ...scope,
        minutesStep,
        countType,
      })
      .refine((q) => q.startTime < q.endTime, ordered)
      .refine((q) => typesOf[q.of].includes(q.type), { path: ['type'], message: 'wrongFormat' }),
    kind: 'raw',
    summary:
      'Exports a chart, a top list or the ranked domains as CSV: UTF-8 with BOM, its header in the requested language.',
  }),
}

const typesOf: Record<'list' | 'timeSeries' | 'top', readonly number[]> = {
  list: [1],
  timeSeries: Object.values(seriesTypes),
  top: Object.values(topTypes),
}
