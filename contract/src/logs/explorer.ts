/** The log explorer: rows by key, their histogram, the values of each field, and a single row by its link. */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { wordOf } from '../enumeration.ts'
import { Id, Moment } from '../fields.ts'
import { AccessLogRow } from './access.ts'
import { LogFilter } from './filter.ts'

/** The most bars of a histogram. */
export const bucketsMax = 120
/** How many days log rows are kept; an earlier start is moved up to there. */
export const logDays = 30
/** The most rows of one reply. */
export const explorerRowsMax = 500
export const facetValuesMax = 50
/** The most rules per query: no list of rules is longer. */
export const countedRulesMax = 500
/** How many hours the hits of a rule reach back. */
export const ruleHours = 24
/** The most rows of an exported file. */
export const logExportMax = 100_000

/** The fields whose values can be listed. Each is also a filter. */
export const facetFields = [
  'action',
  'status',
  'cause',
  'guard',
  'rule',
  'method',
  'host',
  'hostPath',
  'ip',
  'country',
  'asn',
  'bot',
  'userAgent',
  'referer',
  'cache',
  'route',
  'scheme',
  'httpVersion',
  'contentType',
  'originStatus',
  'originFailure',
  'node',
] as const
export const FacetField = wordOf('LogField', 'A field of the log whose values are counted.', facetFields)
export type FacetField = (typeof facetFields)[number]

/** `<epoch ms>-<site>-<request id>`: the table finds the row by its sort order. */
export const RowId = z.string().regex(/^[1-9]\d{11,13}-\d{1,9}-[\x21-\x7e]{1,64}$/, 'wrongFormat')

const span = { startTime: Moment, endTime: Moment }
const isInOrder = (body: { startTime: number; endTime: number }) => body.startTime < body.endTime
const outOfOrder = { path: ['endTime'], message: 'wrongFormat' }

const Bucket = z.object({ time: z.number().int().describe('Epoch seconds.'), value: z.record(z.string(), z.number()) })

export const logExplorer = {
  rows: endpoint('logs.explorer.rows', 'POST', '/:tier/logs/explorer/rows', {
    can: 'logs.read',
    body: LogFilter.extend({
      ...span,
      /** The last row of the previous page; new rows do not shift the pages. */
      after: RowId.optional(),
      limit: z.number().int().min(1).max(explorerRowsMax).default(100),
    }).refine(isInOrder, outOfOrder),
    reply: z.object({ rows: z.array(AccessLogRow), next: z.string().nullable() }),
    beyond: true,
    summary: 'Returns rows of the access log, newest first, paged by key so that new rows neither repeat nor skip any.',
  }),
  export: endpoint('logs.explorer.export', 'POST', '/:tier/logs/explorer/export', {
    can: 'logs.read',
    audit: true,
    body: LogFilter.extend(span).refine(isInOrder, outOfOrder),
    kind: 'raw',
    beyond: true,
    summary:
      'Exports the same rows as CSV, at most 100,000. Three exports at a time, and as many a day as the account allows.',
  }),
  histogram: endpoint('logs.explorer.histogram', 'POST', '/:tier/logs/explorer/histogram', {
    can: 'logs.read',
    body: LogFilter.extend({
      ...span,
      by: wordOf('HistogramSplit', 'What the bars are split by.', ['action', 'status']).default('action'),
    }).refine(isInOrder, outOfOrder),
    reply: z.object({
      /** Seconds per bar. */
      step: z.number().int(),
      /** The range that was read, in epoch seconds: the start is moved up to where the log begins. */
      from: z.number(),
      to: z.number(),
      /** Requests: rows by their weight. */
      total: z.number().int(),
      rows: z.number().int(),
      buckets: z.array(Bucket),
    }),
    beyond: true,
    summary: 'Returns the filtered requests over time, at most 120 bars, by verdict or status class.',
  }),
  facets: endpoint('logs.explorer.facets', 'POST', '/:tier/logs/explorer/facets', {
    can: 'logs.read',
    body: LogFilter.extend({
      ...span,
      fields: z
        .array(FacetField)
        .min(1, 'required')
        .max(facetFields.length)
        .transform((fields) => [...new Set(fields)]),
      top: z.number().int().min(1).max(facetValuesMax).default(5),
    }).refine(isInOrder, outOfOrder),
    reply: z.array(
      z.object({
        field: FacetField,
        /** Requests that match the filter, and how many distinct values the field has among them. */
        total: z.number().int(),
        distinct: z.number().int(),
        values: z.array(z.object({ value: z.string(), label: z.string(), requests: z.number().int() })),
      }),
    ),
    beyond: true,
    summary: 'Returns the most frequent values of each field under the filter.',
  }),
  ruleHours: endpoint('logs.explorer.ruleHours', 'POST', '/:tier/logs/explorer/ruleHours', {
    can: 'logs.read',
    body: z.strictObject({
      siteID: Id,
      ruleIDs: z.array(Id).min(1, 'required').max(countedRulesMax, 'itemsExceedLimit'),
    }),
    reply: z.array(
      z.object({
        id: z.number().int(),
        requests: z.number().int().describe('Of the last 24 hours, blocked, challenged or observed.'),
        hours: z.array(z.number().int()).describe('Requests of each hour, the oldest first; the last one ends now.'),
      }),
    ),
    beyond: true,
    summary: 'Returns the requests that rules of a site decided or observed in each of the last 24 hours.',
  }),
  row: endpoint('logs.explorer.row', 'GET', '/:tier/logs/explorer/row', {
    can: 'logs.read',
    query: z.strictObject({ id: RowId }),
    reply: AccessLogRow,
    beyond: true,
    summary: 'Returns one row by its link.',
  }),
}
