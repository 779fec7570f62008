/** The locations of the public server that stream between a visitor and an origin, bypassing the cache. */
import { levels, levelUsual } from '@breakwater/contract/edge/compression-levels.ts'
import type { NodeSettings } from '@breakwater/contract/edge/node-disk.ts'
import { block, lua, quoted } from './text.ts'
import { compression, originHeaders, otherLevels, towardOrigin } from './toward-origin.ts'
import { originVariables, set } from './variables.ts'

/** Streams in both directions. */
const uncachedLocation = (settings: NodeSettings, name: string, level: number, buffering = ['proxy_buffering off;']) =>
  block(`location ${name}`, [
    ...set(originVariables),
    lua('rewrite', 'uncached'),
    lua('header_filter', 'uncachedHeaders'),
    lua('body_filter', 'uncachedBody'),
    ...towardOrigin(settings, '$bw_address', '$scheme', '$bw_id'),
    'proxy_set_header Upgrade $bw_upgrade;',
    'proxy_set_header Connection $bw_connection;',
    'proxy_request_buffering off;',
    ...buffering,
    ...compression(level),
  ])

/** gRPC calls. A stream may be idle for long: the site's origin timeout applies, not a client timeout. */
const callLocation = (name: string, verification: string[]) =>
  block(`location ${name}`, [
    ...set(originVariables),
    lua('rewrite', 'call'),
    lua('header_filter', 'callHeaders'),
    'grpc_pass $bw_upstream;',
    'grpc_set_header Host $bw_origin_host;',
    ...originHeaders('$bw_address', '$scheme', '$bw_id').map((header) => `grpc_set_header ${header};`),
    'grpc_set_header X-BW-Relay "";',
    'grpc_next_upstream error timeout;',
    'grpc_next_upstream_tries 3;',
    'grpc_next_upstream_timeout 15s;',
    'grpc_pass_header Date;',
    'grpc_hide_header Alt-Svc;',
    'client_body_timeout 1h;',
    'grpc_ssl_server_name on;',
    'grpc_ssl_name $bw_origin_name;',
    'grpc_ssl_protocols TLSv1.2 TLSv1.3;',
    // A resumed session might have been verified differently.
    'grpc_ssl_session_reuse off;',
    ...verification,
  ])

export function originLocations(settings: NodeSettings): string[] {
  return [
    ...uncachedLocation(settings, '@uncached', levelUsual),
    ...otherLevels.flatMap((level) => uncachedLocation(settings, `@uncached${level}`, level)),
    // The same with a bandwidth limit, which nginx enforces only with buffering; nothing is written to disk.
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
  ]
}
