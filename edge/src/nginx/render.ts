/**
 * Renders a node's nginx.conf: one static file, no server block for a site, no reload for a setting. Sites, hosts,
 * origins, cache rules and guards are looked up by the request path in tables (DESIGN §5).
 */
import type { NodeSettings } from '@breakwater/contract/edge/node-disk.ts'
import { logFormat } from './log-format.ts'
import { controlServer, fetchServer, publicServer } from './servers.ts'
import { block, luaString, quoted } from './text.ts'

/** A unix socket's path cannot be longer (sun_path). */
const socketPathMax = 107

export function renderNginxConf(settings: NodeSettings): string {
  const socket = `${settings.folder}/run/control.sock`
  if (Buffer.byteLength(socket) > socketPathMax) throw new RangeError(`the node's folder is too deep: ${socket}`)
  return `${[...main(settings), '', ...block('http', http(settings))].join('\n')}\n`
}

function main(settings: NodeSettings): string[] {
  const modules = ['ndk_http_module', 'ngx_http_lua_module']
  if (settings.geoFile !== undefined) modules.push('ngx_http_geoip2_module')
  return [
    ...modules.map((name) => `load_module ${quoted(`${settings.modulesFolder}/${name}.so`)};`),
    ...(settings.user === undefined ? [] : [`user ${settings.user};`]),
    'daemon off;',
    `pid ${quoted(`${settings.folder}/run/nginx.pid`)};`,
    `error_log ${quoted(`${settings.folder}/spool/error.log`)} warn;`,
    `worker_processes ${settings.workers};`,
    'worker_shutdown_timeout 60s;',
    'pcre_jit on;',
    ...block('events', ['worker_connections 8192;']),
  ]
}

function http(settings: NodeSettings): string[] {
  return [
    ...limits(settings),
    '',
    ...luaSetup(settings),
    '',
    ...maps(settings),
    '',
    ...(settings.lab ? [] : [...logFormat(settings), '', ...cacheAndUpstreams(settings), '']),
    ...(settings.lab ? [] : [...publicServer(settings), '', ...fetchServer(settings), '']),
    ...controlServer(settings),
  ]
}

function limits(settings: NodeSettings): string[] {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return [
    ...temporary.map((name) => `${name}_temp_path ${quoted(`${settings.folder}/tmp/${name}`)};`),
    'access_log off;',
    'server_tokens off;',
    // One write with head and body: sent from the kernel in pieces, each piece would wake the reader anew. Nothing is
    // kept from encrypted answers, which cannot be sent from the kernel; each answer under way holds one such buffer.
    'sendfile off;',
    'output_buffers 1 128k;',
    'default_type application/octet-stream;',
    'underscores_in_headers off;',
    'client_header_timeout 10s;',
    'client_body_timeout 30s;',
    'send_timeout 30s;',
    'keepalive_timeout 65s;',
    'keepalive_requests 10000;',
    'reset_timedout_connection on;',
    'client_header_buffer_size 2k;',
    'large_client_header_buffers 4 16k;',
    // Bounded for each site by the request path: one static number cannot fit all.
    'client_max_body_size 0;',
    'client_body_buffer_size 128k;',
    'http2_max_concurrent_streams 128;',
    'ssl_protocols TLSv1.2 TLSv1.3;',
    'ssl_ciphers ECDHE+AESGCM:ECDHE+CHACHA20;',
    'ssl_prefer_server_ciphers off;',
    'ssl_session_cache shared:tls:16m;',
    'ssl_session_tickets off;',
  ]
}

/** Memory that workers share. What must not be lost is never where something can be evicted: `sites` and `purges` are written with safe_set. */
const dictionaries = { sites: 32, purges: 32, buckets: 64, crowds: 32, challenges: 16, marks: 32, peers: 4, node: 1 }

function luaSetup(settings: NodeSettings): string[] {
  const list = (values: readonly string[]) => `{${values.map(luaString).join(', ')}}`
  return [
    `lua_package_path ${quoted(`${settings.luaFolder}/?.lua`).slice(0, -1)};;";`,
    ...Object.entries(dictionaries).map(([name, megabytes]) => `lua_shared_dict ${name} ${megabytes}m;`),
    'lua_regex_match_limit 20000;',
    'lua_regex_cache_max_entries 16384;',
    'lua_max_running_timers 64;',
    'lua_socket_log_errors off;',
    ...block('init_by_lua_block', [
      'edge = require("edge.src.request.main")',
      'edge.init({',
      `  node = ${settings.nodeId}, zone = ${settings.zoneId}, group = ${settings.groupId},`,
      `  folder = ${luaString(settings.folder)},`,
      `  trustedProxies = ${list(settings.trustedProxies)},`,
      `  resolvers = ${list(settings.resolvers ?? [])},`,
      '})',
    ]),
    'init_worker_by_lua_block { edge.initWorker() }',
    'exit_worker_by_lua_block { edge.exitWorker() }',
  ]
}

function maps(settings: NodeSettings): string[] {
  if (settings.lab) return []
  // The port belongs to the host that an origin sees only where it is not the scheme's own.
  const odd = (scheme: string, port: number, usual: number) =>
    port === usual ? [] : [`"${scheme}:${port}" $host:${port};`]
  const country =
    settings.geoFile === undefined
      ? ['map $host $bw_country { default ZZ; }']
      : block(`geoip2 ${quoted(settings.geoFile)}`, ['$bw_country default=ZZ source=$bw_address country_code;'])
  return [
    ...block('map "$scheme:$server_port" $bw_host', [
      'default $host;',
      ...odd('http', settings.httpPort, 80),
      ...odd('https', settings.httpsPort, 443),
    ]),
    ...block('map $http_upgrade $bw_connection', ['default upgrade;', `'' '';`]),
    ...country,
  ]
}

function cacheAndUpstreams(settings: NodeSettings): string[] {
  return [
    `proxy_cache_path ${quoted(`${settings.folder}/cache/objects`)} levels=1:2 keys_zone=objects:64m max_size=${settings.cacheBytes} inactive=7d use_temp_path=off;`,
    ...block('upstream fetch', [`server ${quoted(`unix:${settings.folder}/run/fetch.sock`)};`, 'keepalive 64;']),
    ...block('upstream origin', ['server 0.0.0.1;', 'balancer_by_lua_block { edge.balancer() }', 'keepalive 128;']),
    // No connections are kept to TLS origins: nginx keeps them by address alone, and would hand one site's to another.
    ...block('upstream origin_tls', ['server 0.0.0.1;', 'balancer_by_lua_block { edge.balancer() }']),
  ]
}
