/** The servers of a node: the public one, the inner hop that only misses take, and the control socket. */

import { levels, levelUsual } from '@breakwater/contract/edge/compression-levels.ts'
import { clientAddressHeaders } from '@breakwater/contract/edge/header-names.ts'
import { defaultConfiguration } from '@breakwater/contract/edge/node-configuration.ts'
import type { NodeSettings } from '@breakwater/contract/edge/node-disk.ts'
import { extraPorts } from './ports.ts'
import { block, quoted } from './text.ts'

/** Called as the last thing a block does, a phase can be compiled as a whole. */
const lua = (phase: string, name: string) => `${phase}_by_lua_block { return edge.${name}() }`

/**
 * Variables that the request path fills, with what they are worth where it does not. A row is written where
 * `$bw_weight` is not 0: a request for no site of ours has none.
 */
const variables: Record<string, string> = {
  bw_site: '0',
  bw_revision: '0',
  bw_weight: '0',
  bw_address: '$remote_addr',
  bw_cause: '0',
  bw_guard: "''",
  bw_rule: '0',
  bw_waf_score: '0',
  bw_waf: "''",
  bw_action: 'pass',
  bw_route: 'cached',
  bw_key: "''",
  bw_origin_time: '0',
  bw_origin_address: "''",
  bw_origin_status: '0',
  bw_origin_failure: "''",
  bw_rate_after: '0',
  bw_target: "''",
  bw_version: "''",
}

/** Those that only who goes to an origin needs: a hit is not asked to fill them. */
const originVariables: Record<string, string> = {
  bw_upstream: "''",
  bw_relay: "''",
  bw_origin_host: '$bw_host',
  bw_origin_name: '$host',
}

const set = (values: Record<string, string>) => Object.entries(values).map(([name, value]) => `set $${name} ${value};`)

/** Headers of a visitor that an origin never sees: only the edge says who asked and for what. */
const forwarded = [
  'X-Forwarded-Host',
  'X-Forwarded-Port',
  'X-Forwarded-Server',
  'X-Original-URL',
  'X-Rewrite-URL',
  'Forwarded',
  ...clientAddressHeaders,
]

/** Room beside an origin's head, for what the two hops add to it. */
const headRoom = 16
const pieces = { least: 32, kilobytes: 4 }

/** A response head fits in one buffer: long policies and many cookies are ordinary. nginx wants more in all than may be busy. */
function buffers({ heads }: NodeSettings): string[] {
  const head = (heads ?? defaultConfiguration.heads).response / 1024 + headRoom
  const busy = head + headRoom
  const count = Math.max(pieces.least, Math.ceil(busy / pieces.kilobytes) + 2)
  return [
    `proxy_buffer_size ${head}k;`,
    `proxy_buffers ${count} ${pieces.kilobytes}k;`,
    `proxy_busy_buffers_size ${busy}k;`,
  ]
}

/** Compresses whatever keeps its Accept-Encoding (edge/src/request/phases/compression.ts). */
const compression = (level: number) => [
  'gzip on;',
  'gzip_types *;',
  'gzip_min_length 1;',
  'gzip_proxied any;',
  `gzip_comp_level ${level};`,
  'brotli on;',
  'brotli_types *;',
  'brotli_min_length 1;',
  // Brotli takes longer than gzip at the same number, and one less is smaller still.
  `brotli_comp_level ${Math.max(1, level - 1)};`,
]
const otherLevels = levels.filter((level) => level !== levelUsual)

/** What the inner hop is told by the outer one, and what never leaves the node. */
const internalHeaders = ['Address', 'Scheme', 'Id', 'Key', 'Ttl', 'Generation', 'Version']

type Variant = { key: string; version: string; head: string[]; lock: string; background: string }

const whole: Variant = {
  key: '$bw_key',
  version: '""',
  // HEAD may be answered from a stored GET; else it is HEAD at the origin too, and nothing is stored.
  head: ['proxy_cache_convert_head off;', 'proxy_no_cache $bw_is_head;'],
  // Only for answers that come at once: who waits longer joins the fetch on the inner hop (phases/shared-fetch.ts).
  lock: '200ms',
  background: 'on',
}

/** Bytes of a slice: what a visitor's range costs the origin at most, beyond what was asked. */
const sliceBytes = 1_048_576

/**
 * An object in slices. Its key begins as no other does. HEAD is answered from the first slice. nginx would renew in the
 * background without a range, and so the whole object.
 */
const sliced: Variant = {
  key: '"$slice_range $bw_version $bw_key"',
  version: '$bw_version',
  head: ['proxy_cache_convert_head on;', 'proxy_set_header Range $slice_range;'],
  lock: '5s',
  background: 'off',
}

/** What origins are told of who asks. */
const originHeaders = (address: string, scheme: string, id: string): string[] => [
  `X-Forwarded-For ${address}`,
  `X-Real-IP ${address}`,
  `X-Forwarded-Proto ${scheme}`,
  `X-Request-ID ${id}`,
  ...[...forwarded, ...internalHeaders.map((name) => `X-BW-${name}`)].map((name) => `${name} ""`),
]

/** The cached route. `phase` makes the request known to the phases that follow. */
function cached(settings: NodeSettings, phase: string, target = '', variant = whole): string[] {
  const { key, version, head, lock, background } = variant
  return [
    lua('rewrite', phase),
    lua('header_filter', 'cachedHeaders'),
    `proxy_pass http://fetch${target};`,
    'proxy_http_version 1.1;',
    'proxy_set_header Connection "";',
    'proxy_set_header Host $bw_host;',
    'proxy_set_header X-BW-Address $bw_address;',
    'proxy_set_header X-BW-Scheme $scheme;',
    'proxy_set_header X-BW-Id $request_id;',
    'proxy_set_header X-BW-Key $bw_key;',
    // Said in any case: a visitor may send such a header.
    `proxy_set_header X-BW-Version ${version};`,
    'proxy_cache objects;',
    `proxy_cache_key ${key};`,
    ...head,
    'proxy_cache_revalidate on;',
    'proxy_force_ranges on;',
    'if_modified_since before;',
    'proxy_ignore_headers Expires;',
    `proxy_cache_background_update ${background};`,
    'proxy_pass_request_body off;',
    'proxy_set_header Content-Length "";',
    'proxy_cache_lock on;',
    `proxy_cache_lock_timeout ${lock};`,
    'proxy_cache_lock_age 60s;',
    'proxy_pass_header Date;',
    ...buffers(settings),
    ...['Birth', 'Origin', 'Decision'].map((name) => `proxy_hide_header X-BW-${name};`),
  ]
}

export function publicServer(settings: NodeSettings): string[] {
  const reuse = settings.workers > 1 ? ' reuseport' : ''
  const addresses = (port: number) => (settings.ipv6 === true ? [`${port}`, `[::]:${port}`] : [`${port}`])
  const tlsWords = (settings.http2 ?? defaultConfiguration.http2) ? ' ssl http2' : ' ssl'
  const listen = (port: number, tls: boolean) =>
    addresses(port).map((address) => `listen ${address}${tls ? tlsWords : ''} default_server backlog=4096${reuse};`)
  return block('server', [
    ...listen(settings.httpPort, false),
    ...listen(settings.httpsPort, true),
    ...extraPorts(settings).flatMap(({ port, tls }) => listen(port, tls)),
    ...(settings.http3 ? http3(addresses(settings.httpsPort), reuse) : []),
    `ssl_certificate ${quoted(`${settings.folder}/default.crt`)};`,
    `ssl_certificate_key ${quoted(`${settings.folder}/default.key`)};`,
    lua('ssl_client_hello', 'clientHello'),
    lua('ssl_certificate', 'certificate'),
    ...set(variables),
    `access_log ${quoted(`${settings.folder}/spool/requests.log`)} requests buffer=64k flush=1s if=$bw_weight;`,
    // Only where the request path sets a rate.
    'limit_rate_after $bw_rate_after;',
    'add_header X-Cache $bw_cache always;',
    'add_header X-Request-ID $request_id always;',
    'error_page 502 504 @unreachable;',
    'error_page 500 @failed;',
    lua('log', 'log'),
    '',
    ...block('location /', cached(settings, 'rewrite')),
    '',
    // The same where many answers are under way: nothing is kept in memory of what the kernel can send from the file.
    ...block('location @crowded', [
      ...cached(settings, 'crowded'),
      'sendfile on;',
      'sendfile_max_chunk 512k;',
      'output_buffers 1 16k;',
    ]),
    '',
    // A URL without the signature that it was asked with; mostly of large files.
    ...block('location @signed', [
      ...cached(settings, 'crowded', '$bw_target'),
      'sendfile on;',
      'sendfile_max_chunk 512k;',
      'output_buffers 1 16k;',
    ]),
    '',
    // A large object, slice by slice. Each is an entry of its own; those that follow the first are found by its version.
    ...block('location @sliced', [
      ...cached(settings, 'sliced', '$bw_target', sliced),
      `slice ${sliceBytes};`,
      'sendfile on;',
      'sendfile_max_chunk 512k;',
      'output_buffers 1 16k;',
    ]),
    '',
    // The same object where its origin sends no slices, or none that can be put together.
    ...block('location @whole', cached(settings, 'crowded', '$bw_target')),
    '',
    // Where the inner hop must be asked once more: the guards have let this request pass.
    ...block('location @again', cached(settings, 'again')),
    '',
    ...uncachedLocation(settings, '@uncached', levelUsual),
    ...otherLevels.flatMap((level) => uncachedLocation(settings, `@uncached${level}`, level)),
    // The same under a bandwidth limit, which nginx keeps only where it buffers; nothing is written to disk for it.
    ...levels.flatMap((level) =>
      uncachedLocation(settings, level === levelUsual ? '@limited' : `@limited${level}`, level, [
        'proxy_buffering on;',
        'proxy_max_temp_file_size 0;',
      ]),
    ),
    '',
    ...callLocation('@grpc', ['grpc_ssl_verify off;']),
    ...(settings.caFile === undefined
      ? block('location @grpcVerified', ['return 502;'])
      : callLocation('@grpcVerified', [
          'grpc_ssl_verify on;',
          `grpc_ssl_trusted_certificate ${quoted(settings.caFile)};`,
          'grpc_ssl_verify_depth 6;',
        ])),
    '',
    ...block('location @unreachable', ['internal;', lua('content', 'unreachable')]),
    '',
    // In place of an origin's own page of this status, where the site wants that.
    ...[500, 502, 504].flatMap((status) =>
      block(`location @intercepted${status}`, [`content_by_lua_block { return edge.intercepted(${status}) }`]),
    ),
    '',
    ...block('location @failed', ['internal;', lua('content', 'failed')]),
  ])
}

/** HTTP/3 beside the other versions; the request path says it where the site wants that (`phases/alt-svc.ts`). */
const http3 = (addresses: string[], reuse: string): string[] => [
  ...addresses.map((address) => `listen ${address} quic default_server${reuse};`),
  "set $bw_alt_svc '';",
  'add_header Alt-Svc $bw_alt_svc always;',
]

/** gRPC, which lies idle by its nature: how long the origin may, its site says. */
const callLocation = (name: string, verification: string[]) =>
  block(`location ${name}`, [
    ...set(originVariables),
    lua('rewrite', 'call'),
    lua('header_filter', 'callHeaders'),
    'grpc_pass $bw_upstream;',
    'grpc_set_header Host $bw_origin_host;',
    ...originHeaders('$bw_address', '$scheme', '$request_id').map((header) => `grpc_set_header ${header};`),
    'grpc_next_upstream error timeout;',
    'grpc_next_upstream_tries 3;',
    'grpc_next_upstream_timeout 15s;',
    'grpc_pass_header Date;',
    'grpc_hide_header Alt-Svc;',
    'client_body_timeout 1h;',
    'grpc_ssl_server_name on;',
    'grpc_ssl_name $bw_origin_name;',
    'grpc_ssl_protocols TLSv1.2 TLSv1.3;',
    // A resumed session would be of another verification.
    'grpc_ssl_session_reuse off;',
    ...verification,
  ])

/** Streams both ways. */
const uncachedLocation = (settings: NodeSettings, name: string, level: number, buffering = ['proxy_buffering off;']) =>
  block(`location ${name}`, [
    ...set(originVariables),
    lua('rewrite', 'uncached'),
    lua('header_filter', 'uncachedHeaders'),
    lua('body_filter', 'uncachedBody'),
    ...towardOrigin(settings, '$bw_address', '$scheme', '$request_id'),
    'proxy_set_header Upgrade $http_upgrade;',
    'proxy_set_header Connection $bw_connection;',
    'proxy_request_buffering off;',
    ...buffering,
    ...compression(level),
  ])

/** What the uncached route and the inner hop have in common. */
function towardOrigin(settings: NodeSettings, address: string, scheme: string, id: string): string[] {
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
    // It is about the origin's own ports.
    'proxy_hide_header Alt-Svc;',
    ...buffers(settings),
    'proxy_ignore_headers X-Accel-Redirect X-Accel-Charset X-Accel-Limit-Rate X-Accel-Buffering X-Accel-Expires;',
  ]
}

/** Only misses come here. It decides what the outer hop may keep, and for how long. */
export function fetchServer(settings: NodeSettings): string[] {
  return block('server', [
    `listen ${quoted(`unix:${settings.folder}/run/fetch.sock`)};`,
    // The inner hop gets the visitor's host, port included, from the outer one.
    ...set({ ...variables, ...originVariables, bw_context: "''", bw_fetch: "''", bw_origin_host: '$http_host' }),
    'access_log off;',
    'error_page 502 504 @unreachable;',
    ...block('location @unreachable', ['internal;', lua('content', 'fetchUnreachable'), lua('log', 'fetchLog')]),
    ...block('location @shared', ['internal;', ...compression(levelUsual), lua('content', 'shared')]),
    ...fetchLocation(settings, '/', 'fetch', levelUsual),
    ...otherLevels.flatMap((level) => fetchLocation(settings, `@fetch${level}`, 'fetchAtLevel', level)),
  ])
}

const fetchLocation = (settings: NodeSettings, name: string, rewrite: string, level: number) =>
  block(`location ${name}`, [
    lua('rewrite', rewrite),
    lua('header_filter', 'fetchHeaders'),
    lua('body_filter', 'fetchBody'),
    lua('log', 'fetchLog'),
    ...towardOrigin(settings, '$http_x_bw_address', '$http_x_bw_scheme', '$http_x_bw_id'),
    'proxy_set_header Connection "";',
    // Each piece is compressed and passed on as it comes: a page that arrives in pieces must not wait for its end.
    'proxy_buffering off;',
    ...compression(level),
    `proxy_set_header Surrogate-Capability 'breakwater="Surrogate/1.0"';`,
    'proxy_pass_header X-Accel-Expires;',
  ])

/** Of what asks origins over TLS itself. */
const towardTlsOrigins = ({ caFile }: NodeSettings): string[] => [
  'lua_ssl_protocols TLSv1.2 TLSv1.3;',
  ...(caFile === undefined ? [] : [`lua_ssl_trusted_certificate ${quoted(caFile)};`, 'lua_ssl_verify_depth 6;']),
]

/** Asks origins that nginx cannot be left to ask (edge/src/request/phases/relay.ts). */
export function relayServer(settings: NodeSettings): string[] {
  return block('server', [
    `listen ${quoted(`unix:${settings.folder}/run/relay.sock`)};`,
    'access_log off;',
    'lua_socket_buffer_size 64k;',
    ...towardTlsOrigins(settings),
    ...block('location /', [lua('content', 'relay')]),
  ])
}

export function controlServer(settings: NodeSettings): string[] {
  return block('server', [
    `listen ${quoted(`unix:${settings.folder}/run/control.sock`)};`,
    'access_log off;',
    'client_max_body_size 64m;',
    'client_body_buffer_size 1m;',
    ...(settings.lab ? [] : towardTlsOrigins(settings)),
    ...block('location /', [lua('content', 'control')]),
  ])
}
