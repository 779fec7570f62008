/** How long the edge waits for a site's origins. */
import { z } from 'zod'
import { settings } from '../settings.ts'

const Seconds = (max: number) => z.number().int('number').min(1, 'number').max(max, 'number')

export const OriginTimeouts = z.strictObject({
  connect: Seconds(60).describe('Seconds to open a connection, TLS included.'),
  firstByte: Seconds(3600).describe('Seconds from the request’s end to the first byte of the answer.'),
  idle: Seconds(3600).describe('Seconds between two bytes of the answer.'),
  websocketIdle: Seconds(3600).describe(
    'Seconds without a byte on a WebSocket or an event stream (what is asked for with `Accept: text/event-stream`).',
  ),
})
export type OriginTimeouts = z.output<typeof OriginTimeouts>

export const originTimeouts = settings(
  'site',
  'originTimeouts',
  {
    id: 'site.setting.originTimeouts',
    path: 'setting/originTimeouts',
    schema: OriginTimeouts,
    read: 'domains.read',
    write: 'domains.write',
    beyond: true,
    noun: 'time limits of a site’s origins',
  },
  { connect: 5, firstByte: 60, idle: 60, websocketIdle: 600 },
)
