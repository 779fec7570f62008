/** The server blocks of a node: the public one, the inner hop for cache misses, the relay, and the control socket. */

import { levelUsual } from '@breakwater/contract/edge/compression-levels.ts'
import { defaultConfiguration } from '@breakwater/contract/edge/node-configuration.ts'
import type { NodeSettings } from '@breakwater/contract/edge/node-disk.ts'
import { cachedLocations } from './cached-locations.ts'
import { originLocations } from './origin-locations.ts'
import { ownHeaders } from './own-headers.ts'
import { extraPorts } from './ports.ts'
import { block, lua, quoted } from './text.ts'
import { compression, otherLevels, towardOrigin, towardTlsOrigins } from './toward-origin.ts'
import { originVariables, set } from './variables.ts'

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
    ...(settings.http3 ? [...http3(tlsPorts(settings).flatMap(addresses), reuse), "set $bw_alt_svc '';"] : []),
    `ssl_certificate ${quoted(`${settings.folder}/default.crt`)};`,
    `ssl_certificate_key ${quoted(`${settings.folder}/default.key`)};`,
    lua('ssl_client_hello', 'clientHello'),
    lua('ssl_certificate', 'certificate'),
    ...['usual', 'requests'].map((format) => accessLog(settings, format)),
    // Has an effect only if the request path sets a rate.
    'limit_rate_after $bw_rate_after;',
    ...ownHeaders(settings, '$bw_cache'),
    'error_page 502 504 @unreachable;',
    'error_page 500 @failed;',
    lua('log', 'log'),
    '',
    ...cachedLocations(settings),
    '',
    ...originLocations(settings),
    '',
    ...block('location @unreachable', ['internal;', lua('content', 'unreachable')]),
    ...block('location @leak', [lua('content', 'leak')]),
    '',
    // Replaces an origin's own page of this status if the site wants that.
    ...[500, 502, 504].flatMap((status) =>
      block(`location @intercepted${status}`, [`content_by_lua_block { return edge.intercepted(${status}) }`]),
    ),
    '',
    ...block('location @failed', ['internal;', lua('content', 'failed')]),
  ])
}

/** Both formats write to one file through one buffer. A request gets one row, or none (phases/log-row.ts). */
const accessLog = ({ folder }: NodeSettings, format: string) =>
  `access_log ${quoted(`${folder}/spool/requests.log`)} ${format} buffer=64k flush=1s if=${format === 'usual' ? '$bw_usual' : '$bw_weight'};`

const tlsPorts = (settings: NodeSettings): number[] => [
  settings.httpsPort,
  ...extraPorts(settings).flatMap(({ port, tls }) => (tls ? [port] : [])),
]

/** HTTP/3 besides the other versions. */
const http3 = (addresses: string[], reuse: string): string[] =>
  addresses.map((address) => `listen ${address} quic default_server${reuse};`)

/** The inner hop gets only cache misses. It decides what the outer hop may store, and for how long. */
export function fetchServer(settings: NodeSettings): string[] {
  return block('server', [
    `listen ${quoted(`unix:${settings.folder}/run/fetch.sock`)};`,
    // The inner hop gets the visitor's host, including the port, from the outer one.
    ...set({ ...originVariables, bw_context: "''", bw_fetch: "''", bw_origin_host: '$http_host' }),
    'set $bw_id $http_x_bw_id;',
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
    ...towardOrigin(settings, '$http_x_bw_address', '$http_x_bw_scheme', '$bw_id'),
    'proxy_set_header Connection "";',
    // Each piece is compressed and passed on as it arrives: a streamed page must not wait for its end.
    'proxy_buffering off;',
    ...compression(level),
    `proxy_set_header Surrogate-Capability 'breakwater="Surrogate/1.0"';`,
    'proxy_pass_header X-Accel-Expires;',
  ])

/** Connects to origins that nginx itself cannot be used for (edge/src/request/phases/relay.ts). */
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
