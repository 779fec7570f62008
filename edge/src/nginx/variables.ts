/** nginx variables that the request path sets. */

/**
 * With their defaults, for when the request path does not set them: nginx evaluates a default when it first reads the
 * variable, and most are never read. (`set` would write all of them on each request.) An ordinary hit is logged if
 * `$bw_usual` is set, anything else if `$bw_weight` is not 0: a request for an unknown site gets no row.
 */
export const variables: Record<string, string> = {
  bw_site: '0',
  bw_revision: '0',
  bw_id: "''",
  // The request headers that may bypass the cache: '' for most requests.
  bw_special: '"$http_upgrade$http_if_none_match$http_range$http_content_length$http_transfer_encoding"',
  bw_usual: '1',
  bw_weight: '0',
  bw_address: '$remote_addr',
  bw_country: 'ZZ',
  bw_asn: '0',
  bw_bot: "''",
  bw_cause: '0',
  bw_guard: "''",
  bw_rule: '0',
  bw_waf_score: '0',
  bw_waf: "''",
  bw_waf_shadow: "''",
  bw_action: 'pass',
  bw_route: 'cached',
  bw_key: "''",
  bw_origin_time: '0',
  bw_origin_address: "''",
  bw_origin_status: '0',
  bw_origin_failure: "''",
  // The protocol to upgrade to; nginx caches the value of `$http_upgrade` even if the header is removed later.
  bw_upgrade: "''",
  bw_rate_after: '0',
  bw_target: "''",
  bw_version: "''",
}

/** Variables needed only for requests to an origin: hits do not set them. */
export const originVariables: Record<string, string> = {
  bw_upstream: "''",
  bw_relay: "''",
  bw_origin_host: '$bw_host',
  bw_origin_name: '$host',
}

export const defaults = (values: Record<string, string>) =>
  Object.entries(values).map(([name, value]) => `map "" $${name} { default ${value}; }`)

export const set = (values: Record<string, string>) =>
  Object.entries(values).map(([name, value]) => `set $${name} ${value};`)
