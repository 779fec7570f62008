/** Health checks: nodes monitor a site's origins instead of waiting for visitors' requests to fail. */
import { z } from 'zod'
import { wordOf } from '../enumeration.ts'
import { urlCharsMax } from '../fields.ts'
import { settings } from '../settings.ts'

export const originCheckTypes = ['off', 'tcp', 'http'] as const

const Count = z.number().int('number').min(1, 'number').max(10, 'number')

export const OriginHealth = z.strictObject({
  type: wordOf(
    'OriginCheckType',
    'off leaves it to requests; tcp connects, TLS included; http asks for a path.',
    originCheckTypes,
  ),
  path: z
    .string()
    .max(urlCharsMax, 'charactersExceedLimit')
    .regex(/^\/[\x21-\x7e]*$/, 'wrongFormat')
    .describe('For http: what is asked for, with GET.'),
  codes: z
    .array(z.string().regex(/^[1-5](?:\d\d|xx)$/, 'wrongFormat'))
    .min(1, 'required')
    .max(20, 'itemsExceedLimit')
    .describe('For http: statuses of a healthy origin, such as 204 or 2xx.'),
  interval: z.number().int('number').min(5, 'number').max(300, 'number').describe('Seconds between two checks.'),
  timeout: z.number().int('number').min(1, 'number').max(60, 'number').describe('Seconds that a check may take.'),
  rise: Count.describe('Checks in a row that must pass before an origin is asked again.'),
  fall: Count.describe('Checks in a row that must fail before an origin is passed over.'),
})
export type OriginHealth = z.output<typeof OriginHealth>

export const originHealth = settings(
  'site',
  'originHealth',
  {
    id: 'site.setting.originHealth',
    path: 'setting/originHealth',
    schema: OriginHealth,
    read: 'domains.read',
    write: 'domains.write',
    beyond: true,
    noun: 'health checks of a site’s origins',
  },
  { type: 'off', path: '/', codes: ['2xx', '3xx'], interval: 10, timeout: 5, rise: 2, fall: 3 },
)
