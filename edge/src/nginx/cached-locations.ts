/** The locations of the public server that respond from the cache, and fetch misses from the inner hop. */
import type { NodeSettings } from '@breakwater/contract/edge/node-disk.ts'
import { ownHeaders } from './own-headers.ts'
import { block, lua } from './text.ts'
import { buffers } from './toward-origin.ts'

type Variant = { key: string; version: string; head: string[]; lock: string; background: string }

const whole: Variant = {
  key: '$bw_key',
  version: '""',
  // HEAD may be answered from a stored GET; otherwise the origin gets a HEAD as well, and nothing is stored.
  head: ['proxy_cache_convert_head off;', 'proxy_no_cache $bw_is_head;'],
  // Only for immediate responses: requests that wait longer join the fetch on the inner hop (phases/shared-fetch.ts).
  lock: '200ms',
  background: 'on',
}

/** Slice size in bytes: the most that the origin sends for a range request beyond the range itself. */
const sliceBytes = 1_048_576

/**
 * An object stored in slices. No other cache key begins like its key. HEAD is answered from the first slice. A
 * background update by nginx would have no range, and would fetch the whole object.
 */
const sliced: Variant = {
  key: '"$slice_range $bw_version $bw_key"',
  version: '$bw_version',
  head: ['proxy_cache_convert_head on;', 'proxy_set_header Range $slice_range;'],
  lock: '5s',
  background: 'off',
}

/** The cached route. `phase` is the rewrite phase, which prepares the request for the later phases. */
function cached(settings: NodeSettings, phase: string, target = '', variant = whole): string[] {
  const { key, version, head, lock, background } = variant
  return [
    lua('rewrite', phase),
    lua('header_filter', 'cachedHeaders'),
    // Without the map of `$bw_cache`, as the route is known here.
    ...ownHeaders(settings, '$upstream_cache_status'),
    `proxy_pass http://fetch${target};`,
    'proxy_http_version 1.1;',
    'proxy_set_header Connection "";',
    'proxy_set_header Host $bw_host;',
    'proxy_set_header X-BW-Address $bw_address;',
    'proxy_set_header X-BW-Scheme $scheme;',
    'proxy_set_header X-BW-Id $bw_id;',
    'proxy_set_header X-BW-Key $bw_key;',
    // Always set: a visitor may send this header.
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

/** The kernel sends files directly, without buffering them in memory. */
const fromFile = ['sendfile on;', 'sendfile_max_chunk 512k;', 'output_buffers 1 16k;']

export function cachedLocations(settings: NodeSettings): string[] {
  return [
    ...block('location /', cached(settings, 'rewrite')),
    '',
    // The same while many responses are being sent.
    ...block('location @crowded', [...cached(settings, 'crowded'), ...fromFile]),
    '',
    // A URL requested with a signature, which is removed; mostly for large files.
    ...block('location @signed', [...cached(settings, 'crowded', '$bw_target'), ...fromFile]),
    '',
    // A large object, slice by slice. Each is a separate cache entry; later ones are found by the version of the first.
    ...block('location @sliced', [
      ...cached(settings, 'sliced', '$bw_target', sliced),
      `slice ${sliceBytes};`,
      ...fromFile,
    ]),
    '',
    // The same object if its origin sends no slices, or slices that do not match.
    ...block('location @whole', cached(settings, 'crowded', '$bw_target')),
    '',
    // A second request to the inner hop: the guards have already let this request pass.
    ...block('location @again', cached(settings, 'again')),
  ]
}
