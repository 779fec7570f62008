/** Which responses the edge compresses if the origin did not. */
import { z } from 'zod'
import { levelUsual } from '../edge/compression-levels.ts'
import { settings } from '../settings.ts'

/** A media type without parameters (RFC 9110 §8.3.1), lower case. */
const MediaType = z
  .string()
  .trim()
  .toLowerCase()
  .min(1, 'required')
  .max(127, 'charactersExceedLimit')
  .regex(/^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+$/, 'wrongFormat')

export const Compression = z.strictObject({
  enable: z.boolean().describe('Whether nodes compress what the origin sends uncompressed, with Brotli or gzip.'),
  types: z
    .array(MediaType)
    .max(50, 'itemsExceedLimit')
    .refine((types) => new Set(types).size === types.length, 'duplicatedData')
    .describe('Media types that are compressed.'),
  minLength: z
    .number()
    .int('number')
    .min(0, 'number')
    .max(1_000_000, 'number')
    .describe('Bytes of an answer from which on it is compressed.'),
  level: z.number().int('number').min(1, 'number').max(9, 'number').describe('1 is the fastest, 9 the smallest.'),
})
export type Compression = z.output<typeof Compression>

/** Text and text-like formats. Images, audio, video and archives are already compressed. */
export const compressedTypes = [
  'text/html',
  'text/css',
  'text/plain',
  'text/xml',
  'text/csv',
  'text/javascript',
  'text/markdown',
  'text/vtt',
  'text/calendar',
  'application/javascript',
  'application/x-javascript',
  'application/json',
  'application/ld+json',
  'application/manifest+json',
  'application/problem+json',
  'application/geo+json',
  'application/vnd.api+json',
  'application/graphql-response+json',
  'application/xml',
  'application/rss+xml',
  'application/atom+xml',
  'application/xhtml+xml',
  'application/wasm',
  'application/vnd.ms-fontobject',
  'font/ttf',
  'font/otf',
  'image/svg+xml',
  'image/x-icon',
  'image/bmp',
]

export const compression = settings(
  'site',
  'compression',
  {
    id: 'site.setting.gzip',
    path: 'setting/gzip',
    schema: Compression,
    read: 'cache.read',
    write: 'cache.write',
    noun: 'compression of answers',
  },
  { enable: true, types: compressedTypes, minLength: 1024, level: levelUsual },
)
