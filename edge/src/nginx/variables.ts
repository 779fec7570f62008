/** Variables that the request path fills. */

/**
 * With what they are worth where the request path does not fill them: nginx finds that out when it first reads one, and
 * of most it never does. (`set` would write all of them for each request.) A hit of which there is nothing to note is logged
 * as `$bw_usual` says, all else where `$bw_weight` is not 0: a request for no site of ours has no row.
 */
export const variables: Record<string, string> = {
  bw_site: '0',
  bw_revision: '0',
  bw_id: "''",
  // Of a request's headers those that may lead it around the cache: '' for most.
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
  // What is switched to; nginx keeps what it read of `$http_upgrade`, also where the header is dropped then.
  bw_upgrade: "''",
  bw_rate_after: '0',
  bw_target: "''",
  bw_version: "''",
}

/** Those that only who goes to an origin needs: a hit is not asked to fill them. */
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
