/** What locations that connect to origins have in common: headers, buffers, compression, TLS. */
import { levels, levelUsual } from '@breakwater/contract/edge/compression-levels.ts'
import { clientAddressHeaders, urlOverrideHeaders } from '@breakwater/contract/edge/header-names.ts'
import { defaultConfiguration } from '@breakwater/contract/edge/node-configuration.ts'
import type { NodeSettings } from '@breakwater/contract/edge/node-disk.ts'
import { quoted } from './text.ts'

/** Visitor headers that are never passed to an origin: only the edge states who requested what. */
const forwarded = [
  'X-Forwarded-Host',
  'X-Forwarded-Port',
  'X-Forwarded-Server',
  'Forwarded',
  ...urlOverrideHeaders,
  ...clientAddressHeaders,
]

/** Headers from the outer to the inner hop, which never leave the node. */
const internalHeaders = ['Address', 'Scheme', 'Id', 'Key', 'Ttl', 'Generation', 'Version']

/** Headers that tell origins about the client. */
export const originHeaders = (address: string, scheme: string, id: string): string[] => [
  `X-Forwarded-For ${address}`,
  `X-Real-IP ${address}`,
  `X-Forwarded-Proto ${scheme}`,
  `X-Request-ID ${id}`,
  ...[...forwarded, ...internalHeaders.map((name) => `X-BW-${name}`)].map((name) => `${name} ""`),
]

/** Room for what the two hops add to an origin's response head, in KB. */
const headRoom = 16
const pieces = { least: 32, kilobytes: 4 }

/**
 * A response head fits in one buffer: long policies and many cookies are common. nginx requires more buffers in total
 * than may be busy.
 */
export function buffers({ heads }: NodeSettings): string[] {
  const head = (heads ?? defaultConfiguration.heads).response / 1024 + headRoom
  const busy = head + headRoom
  const count = Math.max(pieces.least, Math.ceil(busy / pieces.kilobytes) + 2)
  return [
    `proxy_buffer_size ${head}k;`,
    `proxy_buffers ${count} ${pieces.kilobytes}k;`,
    `proxy_busy_buffers_size ${busy}k;`,
  ]
}

/** Compresses responses to requests that still have Accept-Encoding (edge/src/request/phases/compression.ts). */
export const compression = (level: number) => [
  'gzip on;',
  'gzip_types *;',
  'gzip_min_length 1;',
  'gzip_proxied any;',
  `gzip_comp_level ${level};`,
  'brotli on;',
  'brotli_types *;',
  'brotli_min_length 1;',
  // Brotli is slower than gzip at the same level, and still smaller at one level less.
  `brotli_comp_level ${Math.max(1, level - 1)};`,
]

/** Each has its own location, besides that of the usual level. */
export const otherLevels = levels.filter((level) => level !== levelUsual)

/** What the uncached route and the inner hop have in common. */
export function towardOrigin(settings: NodeSettings, address: string, scheme: string, id: string): string[] {
  return [
    'proxy_pass $bw_upstream;',
    'proxy_http_version 1.1;',
    'proxy_set_header Host $bw_origin_host;',
    'proxy_set_header X-BW-Relay $bw_relay;',
    ...originHeaders(address, scheme, id).map((header) => `proxy_set_header ${header};`),
    'proxy_next_upstream error timeout;',
    'proxy_next_upstream_tries 3;',
    'proxy_next_upstream_timeout 15s;',
    'proxy_pass_header Date;',
    // nginx drops the trailers of an origin, so nothing may announce them.
    'proxy_hide_header Trailer;',
    // It refers to the origin's own ports.
    'proxy_hide_header Alt-Svc;',
    ...buffers(settings),
    'proxy_ignore_headers X-Accel-Redirect X-Accel-Charset X-Accel-Limit-Rate X-Accel-Buffering X-Accel-Expires;',
  ]
}

/** For servers whose Lua code connects to origins over TLS itself. */
export const towardTlsOrigins = ({ caFile }: NodeSettings): string[] => [
  'lua_ssl_protocols TLSv1.2 TLSv1.3;',
  ...(caFile === undefined ? [] : [`lua_ssl_trusted_certificate ${quoted(caFile)};`, 'lua_ssl_verify_depth 6;']),
]
