/**
 * Renders a node's nginx.conf: one static file, without server blocks per site, and without a reload when a site's
 * settings change. The request path looks up sites, hosts, origins, cache rules and guards in tables.
 */
import { createHash } from 'node:crypto'
import { defaultConfiguration } from '@breakwater/contract/edge/node-configuration.ts'
import type { NodeSettings } from '@breakwater/contract/edge/node-disk.ts'
import { regexMatchLimit } from '@breakwater/contract/edge/regex-match-limit.ts'
import { logFormat } from './log-format.ts'
import { extraPorts } from './ports.ts'
import { controlServer, fetchServer, publicServer, relayServer } from './servers.ts'
import { block, luaString, quoted } from './text.ts'
import { defaults, variables } from './variables.ts'

/** A unix socket's path cannot be longer (sun_path). */
const socketPathMax = 107

/** The placeholder for the mark while the marked text is built. */
const unmarked = '-'

export function renderNginxConf(settings: NodeSettings): string {
  const socket = `${settings.folder}/run/control.sock`
  if (Buffer.byteLength(socket) > socketPathMax) throw new RangeError(`the node's folder is too deep: ${socket}`)
  const text = `${[...main(settings), '', ...block('http', http(settings))].join('\n')}\n`
  // nginx reports the mark (`/state`): by it the agent knows that a reload has finished, and with which text.
  return text.replace(confLine(unmarked), confLine(createHash('sha256').update(text).digest('hex').slice(0, 16)))
}

const confLine = (mark: string) => `  conf = "${mark}",`

/** The mark in the text of an nginx.conf; empty if it has none. */
export const markOf = (conf: string): string => /^ *conf = "([0-9a-f]+)",$/m.exec(conf)?.[1] ?? ''

function main(settings: NodeSettings): string[] {
  const modules = ['ndk_http_module', 'ngx_http_lua_module', 'ngx_http_brotli_filter_module']
  return [
    ...modules.map((name) => `load_module ${quoted(`${settings.modulesFolder}/${name}.so`)};`),
    ...(settings.user === undefined ? [] : [`user ${settings.user};`]),
    'daemon off;',
    `pid ${quoted(`${settings.folder}/run/nginx.pid`)};`,
    `error_log ${quoted(`${settings.folder}/spool/error.log`)} warn;`,
    `worker_processes ${settings.workers};`,
    // How long open connections may continue in an old worker after a reload; a stop of nginx does not wait that long.
    // Shorter with HTTP/3: its new connections fail while an old worker is alive, and browsers fall back.
    `worker_shutdown_timeout ${settings.http3 ? '10s' : '1h'};`,
    // Routes packets to the worker that owns their connection; only root may load the BPF program.
    ...(settings.http3 && settings.workers > 1 && settings.user !== undefined ? ['quic_bpf on;'] : []),
    'pcre_jit on;',
    // Passwords are checked and long requests inspected in threads, so that the worker is not blocked
    // (edge/src/request/nginx/passwords.ts, edge/src/request/phases/inspect-beside.ts).
    'thread_pool passwords threads=2 max_queue=64;',
    'thread_pool inspections threads=1 max_queue=64;',
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
    ...(settings.lab
      ? []
      : [...defaults(variables), '', ...logFormat(settings), '', ...cacheAndUpstreams(settings), '']),
    ...(settings.lab
      ? []
      : [...publicServer(settings), '', ...fetchServer(settings), '', ...relayServer(settings), '']),
    ...controlServer(settings),
  ]
}

function limits(settings: NodeSettings): string[] {
  const { line, request } = settings.heads ?? defaultConfiguration.heads
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return [
    ...temporary.map((name) => `${name}_temp_path ${quoted(`${settings.folder}/tmp/${name}`)};`),
    'access_log off;',
    'server_tokens off;',
    // Head and body in one write: with sendfile, each piece would wake the reader again. Encrypted responses lose
    // nothing, as the kernel cannot send them; each response in progress holds one such buffer.
    'sendfile off;',
    'output_buffers 1 128k;',
    'default_type application/octet-stream;',
    'underscores_in_headers off;',
    'client_header_timeout 10s;',
    'client_body_timeout 15s;',
    'send_timeout 30s;',
    'keepalive_timeout 65s;',
    'keepalive_requests 10000;',
    'reset_timedout_connection on;',
    'client_header_buffer_size 2k;',
    `large_client_header_buffers ${Math.ceil(request / line)} ${line / 1024}k;`,
    // The request path limits it per site: no static number fits all.
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

/**
 * Shared memory of the workers, in MB. Data that must not be lost is kept where nothing is evicted: `sites` and
 * `purges` are written with safe_set.
 */
const dictionaries = {
  sites: 32,
  purges: 32,
  buckets: 64,
  crowds: 32,
  challenges: 16,
  bans: 32,
  tallies: 8,
  cache_metadata: 32,
  fetches: 8,
  peers: 4,
  origins: 4,
  checks: 2,
  handshakes: 2,
  node: 1,
}

function luaSetup(settings: NodeSettings): string[] {
  const list = (values: readonly string[]) => `{${values.map(luaString).join(', ')}}`
  return [
    `lua_package_path ${quoted(`${settings.luaFolder}/?.lua`).slice(0, -1)};;";`,
    ...Object.entries(dictionaries).map(([name, megabytes]) => `lua_shared_dict ${name} ${megabytes}m;`),
    `lua_regex_match_limit ${regexMatchLimit};`,
    'lua_regex_cache_max_entries 16384;',
    // Returns freed memory to the system, but not every thousand requests: the next ones would fault it in again.
    'lua_malloc_trim 20000;',
    'lua_max_running_timers 64;',
    // As many as there are threads.
    'lua_worker_thread_vm_pool_size 3;',
    'lua_socket_log_errors off;',
    ...block('init_by_lua_block', [
      'edge = require("edge.src.request.main")',
      'edge.init({',
      `  node = ${settings.nodeId}, zone = ${settings.zoneId}, group = ${settings.groupId},`,
      `  folder = ${luaString(settings.folder)},`,
      `  trustedProxies = ${list(settings.trustedProxies)},`,
      `  resolvers = ${list(settings.resolvers ?? [])},`,
      `  ownAddresses = ${list(settings.ownAddresses ?? [])},`,
      confLine(unmarked),
      `  extraPorts = {${extraPorts(settings)
        .map(({ port }) => port)
        .join(', ')}},`,
      `  ownPorts = {${ownPorts(settings).join(', ')}},`,
      `  httpsPort = ${settings.httpsPort},`,
      ...(settings.http3 ? ['  http3 = true,'] : []),
      ...(settings.countriesFile === undefined ? [] : [`  countriesFile = ${luaString(settings.countriesFile)},`]),
      ...(settings.networksFile === undefined ? [] : [`  networksFile = ${luaString(settings.networksFile)},`]),
      '})',
    ]),
    'init_worker_by_lua_block { edge.initWorker() }',
    'exit_worker_by_lua_block { edge.exitWorker() }',
  ]
}

/** Every port by which this nginx can be reached. */
function ownPorts(settings: NodeSettings): number[] {
  const { lab, httpPort, httpsPort } = settings
  const own = settings.ownPorts ?? (lab ? [] : [httpPort, httpsPort])
  return [...new Set([...own, ...extraPorts(settings).map(({ port }) => port)])]
}

function maps(settings: NodeSettings): string[] {
  if (settings.lab) return []
  // The host sent to the origin includes the port only if it is not the scheme's default.
  const odd = (scheme: string, port: number, usual: number) =>
    port === usual ? [] : [`"${scheme}:${port}" $host:${port};`]
  return [
    ...block('map "$scheme:$server_port" $bw_host', [
      'default $host;',
      ...odd('http', settings.httpPort, 80),
      ...odd('https', settings.httpsPort, 443),
      ...extraPorts(settings).flatMap(({ port, tls }) => (tls ? odd('https', port, 443) : odd('http', port, 80))),
    ]),
    ...block('map $request_method $bw_is_head', [`default '';`, 'HEAD 1;']),
    ...block('map $bw_upgrade $bw_connection', ['default upgrade;', `'' '';`]),
  ]
}

function cacheAndUpstreams(settings: NodeSettings): string[] {
  return [
    // Without it, each hit would open and close its file. Purged objects are never requested again, and replaced ones
    // are detected by their inode; a deleted file is held open for at most this long.
    'open_file_cache max=4096 inactive=20s;',
    'open_file_cache_valid 60s;',
    'open_file_cache_min_uses 2;',
    `proxy_cache_path ${quoted(`${settings.folder}/cache/objects`)} levels=1:2 keys_zone=objects:64m max_size=${settings.cacheBytes} inactive=7d use_temp_path=off;`,
    ...block('upstream fetch', [`server ${quoted(`unix:${settings.folder}/run/fetch.sock`)};`, 'keepalive 64;']),
    ...block('upstream relay', [`server ${quoted(`unix:${settings.folder}/run/relay.sock`)};`]),
    ...block('upstream origin', ['server 0.0.0.1;', 'balancer_by_lua_block { edge.balancer() }', 'keepalive 128;']),
    // gRPC: plaintext connections are kept alive by address; TLS ones are not, as nginx would key them by address only.
    ...block('upstream call', ['server 0.0.0.1;', 'balancer_by_lua_block { edge.balancer() }', 'keepalive 128;']),
    ...block('upstream call_tls', ['server 0.0.0.1;', 'balancer_by_lua_block { edge.balancer() }']),
  ]
}
