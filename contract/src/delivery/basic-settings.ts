/** The basic settings of a site: protocols, origin timeout, largest request body. */
import { z } from 'zod'
import { settings } from '../settings.ts'

/** 10 GB. */
export const bodySizeMax = 10_000_000_000

export const BasicSettings = z.strictObject({
  http2: z
    .boolean()
    .optional()
    .describe('Whether visitors are offered HTTP/2, where the zone speaks it; absent leaves it as it is.'),
  http3: z
    .boolean()
    .optional()
    .describe('Whether visitors are offered HTTP/3, where the zone and its nodes speak it; absent leaves it as it is.'),
  websocket: z.boolean().describe('Whether WebSockets reach the origin; otherwise their requests are ordinary ones.'),
  grpc: z
    .boolean()
    .optional()
    .describe(
      'Whether gRPC calls reach origins over HTTP/2, streaming both ways; absent leaves it as it is. Needs HTTP/2, and origins that are plain or verified by public authorities or not at all. The largest body does not hold for calls, and their messages are not looked at.',
    ),
  timeout: z
    .number()
    .int('number')
    .min(1, 'number')
    .max(3600, 'number')
    .describe(
      'Seconds from the request’s end to the first byte of the answer; then 504. The same as `firstByte` of the origin time limits.',
    ),
  maxBodySize: z
    .number()
    .int('number')
    .min(0, 'number')
    .max(bodySizeMax, 'number')
    .describe(
      'Bytes of a request body, 0 for no limit; a larger one gets 413, and one that does not say its length 411.',
    ),
})
export type BasicSettings = z.output<typeof BasicSettings>

const Shown = z.object({
  siteID: z.number().int(),
  siteName: z.string(),
  http2: z.boolean(),
  http3: z.boolean(),
  zoneHttp3: z.boolean().describe('Whether the zone offers HTTP/3, on the nodes that can.'),
  zoneHttp2: z.boolean().describe('Whether the zone speaks HTTP/2; without it no site does.'),
  websocket: z.boolean(),
  grpc: z.boolean(),
  gzip: z.boolean().describe('Whether the edge compresses itself.'),
  timeout: z.number().int(),
  maxBodySize: z.number().int(),
  cname: z.string(),
})

export const basicSettings = settings(
  'site',
  'basic',
  {
    id: 'site.setting',
    path: 'setting',
    schema: BasicSettings,
    reply: Shown,
    read: 'sites.read',
    write: 'sites.write',
    noun: 'basic settings of a site',
  },
  {
    ...{
      siteID: 0,
      siteName: '',
      http2: true,
      http3: true,
      zoneHttp3: false,
      zoneHttp2: true,
      websocket: true,
      grpc: false,
      gzip: true,
      timeout: 60,
      maxBodySize: 0,
    },
    cname: '',
  },
)
