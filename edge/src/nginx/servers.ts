/** The servers of a node: the public one, the inner hop that only misses take, and the control socket. */
import type { NodeSettings } from '@breakwater/contract/edge/node-disk.ts'
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
  bw_action: 'pass',
  bw_route: 'cached',
  bw_key: "''",
  bw_origin_time: '0',
  bw_origin_address: "''",
  bw_origin_status: '0',
}

/** Those that only who goes to an origin needs: a hit is not asked to fill them. */
const originVariables: Record<string, string> = {
  bw_upstream: "''",
  bw_origin_host: '$bw_host',
  bw_origin_name: '$host',
}

const set = (values: Record<string, string>) => Object.entries(values).map(([name, value]) => `set $${name} ${value};`)

/** Headers that say who asked, written by us and by nobody else; and those that other caches were tricked with. */
const forwarded = [
  'proxy_set_header X-Forwarded-Host "";',
  'proxy_set_header X-Forwarded-Port "";',
  'proxy_set_header X-Forwarded-Server "";',
  'proxy_set_header X-Original-URL "";',
  'proxy_set_header X-Rewrite-URL "";',
  'proxy_set_header X-HTTP-Method-Override "";',
  'proxy_set_header Forwarded "";',
]

/** What the inner hop is told by the outer one, and what never leaves the node. */
const internalHeaders = ['Address', 'Scheme', 'Id', 'Key', 'Ttl', 'Generation']

export function publicServer(settings: NodeSettings): string[] {
  const reuse = settings.workers > 1 ? ' reuseport' : ''
  const addresses = (port: number) => (settings.ipv6 === true ? [`${port}`, `[::]:${port}`] : [`${port}`])
  return block('server', [
    ...addresses(settings.httpPort).map((address) => `listen ${address} default_server backlog=4096${reuse};`),
    ...addresses(settings.httpsPort).map(
      (address) => `listen ${address} ssl http2 default_server backlog=4096${reuse};`,
    ),
    `ssl_certificate ${quoted(`${settings.folder}/default.crt`)};`,
    `ssl_certificate_key ${quoted(`${settings.folder}/default.key`)};`,
    lua('ssl_client_hello', 'clientHello'),
    ...set(variables),
    `access_log ${quoted(`${settings.folder}/spool/requests.log`)} requests buffer=64k flush=1s if=$bw_weight;`,
    'add_header X-Cache $bw_cache always;',
    'add_header X-Request-ID $request_id always;',
    'error_page 502 504 @unreachable;',
    lua('log', 'log'),
    '',
    ...block('location /', [
      lua('rewrite', 'rewrite'),
      lua('header_filter', 'cachedHeaders'),
      'proxy_pass http://fetch;',
      'proxy_http_version 1.1;',
      'proxy_set_header Connection "";',
      'proxy_set_header Host $bw_host;',
      'proxy_set_header X-BW-Address $bw_address;',
      'proxy_set_header X-BW-Scheme $scheme;',
      'proxy_set_header X-BW-Id $request_id;',
      'proxy_set_header X-BW-Key $bw_key;',
      'proxy_cache objects;',
      'proxy_cache_key $bw_key;',
      'proxy_cache_revalidate on;',
      'proxy_force_ranges on;',
      'if_modified_since before;',
      'proxy_ignore_headers Expires;',
      'proxy_cache_background_update on;',
      'proxy_pass_request_body off;',
      'proxy_set_header Content-Length "";',
      'proxy_cache_lock on;',
      'proxy_cache_lock_timeout 2s;',
      'proxy_cache_lock_age 5s;',
      'proxy_pass_header Date;',
      ...['Birth', 'Origin'].map((name) => `proxy_hide_header X-BW-${name};`),
    ]),
    '',
    ...block('location @direct', [
      ...set(originVariables),
      lua('rewrite', 'direct'),
      lua('header_filter', 'directHeaders'),
      ...towardOrigin('$bw_address', '$scheme', '$request_id'),
      'proxy_set_header Upgrade $http_upgrade;',
      'proxy_set_header Connection $bw_connection;',
      'proxy_request_buffering off;',
      'proxy_buffering off;',
    ]),
    '',
    ...block('location @unreachable', ['internal;', lua('content', 'unreachable')]),
  ])
}

/** What the direct route and the inner hop have in common. */
function towardOrigin(address: string, scheme: string, id: string): string[] {
  return [
    'proxy_pass $bw_upstream;',
    'proxy_http_version 1.1;',
    'proxy_ssl_server_name on;',
    'proxy_ssl_name $bw_origin_name;',
    'proxy_ssl_session_reuse off;',
    'proxy_set_header Host $bw_origin_host;',
    `proxy_set_header X-Forwarded-For ${address};`,
    `proxy_set_header X-Real-IP ${address};`,
    `proxy_set_header X-Forwarded-Proto ${scheme};`,
    `proxy_set_header X-Request-ID ${id};`,
    ...forwarded,
    ...internalHeaders.map((name) => `proxy_set_header X-BW-${name} "";`),
    'proxy_next_upstream error timeout;',
    'proxy_next_upstream_tries 3;',
    'proxy_pass_header Date;',
    'proxy_ignore_headers X-Accel-Redirect X-Accel-Charset X-Accel-Limit-Rate X-Accel-Buffering X-Accel-Expires;',
  ]
}

/** Only misses come here. It decides what the outer hop may keep, and for how long. */
export function fetchServer(settings: NodeSettings): string[] {
  return block('server', [
    `listen ${quoted(`unix:${settings.folder}/run/fetch.sock`)};`,
    // The inner hop gets the visitor's host, port included, from the outer one.
    ...set({ ...variables, ...originVariables, bw_context: "''", bw_origin_host: '$http_host' }),
    'access_log off;',
    'error_page 502 504 @unreachable;',
    ...block('location @unreachable', ['internal;', lua('content', 'fetchUnreachable')]),
    ...block('location /', [
      lua('rewrite', 'fetch'),
      lua('header_filter', 'fetchHeaders'),
      lua('log', 'fetchLog'),
      ...towardOrigin('$http_x_bw_address', '$http_x_bw_scheme', '$http_x_bw_id'),
      'proxy_set_header Connection "";',
      // The outer hop reads as fast as this one writes: what waits needs no file.
      'proxy_max_temp_file_size 0;',
      `proxy_set_header Surrogate-Capability 'breakwater="Surrogate/1.0"';`,
      'proxy_pass_header X-Accel-Expires;',
    ]),
  ])
}

export function controlServer(settings: NodeSettings): string[] {
  return block('server', [
    `listen ${quoted(`unix:${settings.folder}/run/control.sock`)};`,
    'access_log off;',
    'client_max_body_size 64m;',
    'client_body_buffer_size 1m;',
    ...block('location /', [lua('content', 'control')]),
  ])
}
