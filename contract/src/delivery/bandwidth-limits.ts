/** Bandwidth limits (`rates` on the wire): how fast a response is sent, from its start or after a number of bytes. */
import { z } from 'zod'
import { Priority } from '../fields.ts'
import { orderedRuleList, RuleMeta } from '../rule-list.ts'
import { UrlRegex } from '../url-regex-field.ts'

/** The lowest rate, in bytes per second: below it, a client would rather give up. */
const rateMin = 1024
const bytesMax = 1_000_000_000_000

export const BandwidthLimit = z.object({
  urlRegex: UrlRegex.describe('Matched against the canonical path.'),
  rate: z
    .number()
    .int('number')
    .min(rateMin, 'number')
    .max(10_000_000_000, 'number')
    .describe('Bytes a second, of each connection; over HTTP/2 of each answer.'),
  afterSize: z
    .number()
    .int('number')
    .min(0, 'number')
    .max(bytesMax, 'number')
    .default(0)
    .describe('Bytes that are sent at full speed first.'),
  priority: Priority.default(100).describe('Lower numbers are asked first; the first that matches holds.'),
  ...RuleMeta.pick({ enabled: true, memo: true }).shape,
})
export type BandwidthLimit = z.output<typeof BandwidthLimit>

export const bandwidthLimits = orderedRuleList('bandwidthLimits', {
  owner: 'site',
  ids: { one: 'site.setting.rate', many: 'site.setting.rates' },
  paths: { one: 'setting/rate', many: 'setting/rates' },
  item: BandwidthLimit,
  read: 'cache.read',
  write: 'cache.write',
  max: 100,
  noun: 'bandwidth limit',
})
