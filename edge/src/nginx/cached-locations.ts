/** The locations of the public server that answer from the cache, and ask the inner hop for what is not there. */
import type { NodeSettings } from '@breakwater/contract/edge/node-disk.ts'
import { block, lua } from './text.ts'
import { buffers } from './toward-origin.ts'

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
    'proxy_set_header X-BW-Id $bw_id;',
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

/** Nothing is kept in memory of what the kernel can send from the file. */
const fromFile = ['sendfile on;', 'sendfile_max_chunk 512k;', 'output_buffers 1 16k;']

export function cachedLocations(settings: NodeSettings): string[] {
  return [
    ...block('location /', cached(settings, 'rewrite')),
    '',
    // The same where many answers are under way.
    ...block('location @crowded', [...cached(settings, 'crowded'), ...fromFile]),
    '',
    // A URL without the signature that it was asked with; mostly of large files.
    ...block('location @signed', [...cached(settings, 'crowded', '$bw_target'), ...fromFile]),
    '',
    // A large object, slice by slice. Each is an entry of its own; those that follow the first are found by its version.
    ...block('location @sliced', [
      ...cached(settings, 'sliced', '$bw_target', sliced),
      `slice ${sliceBytes};`,
      ...fromFile,
    ]),
    '',
    // The same object where its origin sends no slices, or none that can be put together.
    ...block('location @whole', cached(settings, 'crowded', '$bw_target')),
    '',
    // Where the inner hop must be asked once more: the guards have let this request pass.
    ...block('location @again', cached(settings, 'again')),
  ]
}
