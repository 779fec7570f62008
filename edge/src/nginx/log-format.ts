/**
 * The log row: one line per request with the values of the contract's RequestRow (`row-lines.ts`), which ClickHouse
 * accepts without conversion.
 */
import { longHeader, longPath, longQuery, type RequestRow } from '@breakwater/contract/edge/events.ts'
import type { NodeSettings } from '@breakwater/contract/edge/node-disk.ts'
import { rowColumns, rowMark } from '@breakwater/contract/edge/row-lines.ts'
import { defaults } from './variables.ts'

/** Longer text is truncated to these lengths: a row must stay small whatever a visitor sends. */
const textMax = { path: longPath, query: longQuery, referer: longHeader, agent: longHeader }

/**
 * The source of each field. nginx prints times in seconds with three decimals; the appended exponent `e3` makes them
 * milliseconds.
 */
function fields(settings: NodeSettings): Record<keyof RequestRow, string> {
  return {
    time: '$msec',
    node: `${settings.nodeId}`,
    zone: `${settings.zoneId}`,
    site: '$bw_site',
    revision: '$bw_revision',
    requestId: '$bw_id',
    domain: '$host',
    address: '$bw_address',
    country: '$bw_country',
    method: '$request_method',
    scheme: '$scheme',
    httpVersion: '$bw_http_version',
    path: '$bw_log_path',
    query: '$bw_log_query',
    status: '$status',
    cause: '$bw_cause',
    guard: '$bw_guard',
    rule: '$bw_rule',
    action: '$bw_action',
    wafScore: '$bw_waf_score',
    waf: '$bw_waf',
    cache: '$bw_cache',
    route: '$bw_route',
    bytesSent: '$bytes_sent',
    bytesReceived: '$request_length',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: nginx's own braces, which end the name before `e3`.
    requestTime: '${request_time}e3',
    originTime: '$bw_origin_time',
    originAddress: '$bw_origin_address',
    originStatus: '$bw_origin_status',
    originFailure: '$bw_origin_failure',
    referer: '$bw_log_referer',
    userAgent: '$bw_log_agent',
    contentType: '$sent_http_content_type',
    weight: '$bw_weight',
    asn: '$bw_asn',
    bot: '$bw_bot',
    wafShadow: '$bw_waf_shadow',
  }
}

/**
 * The values of an ordinary hit, as most requests are (phases/log-row.ts): nginx need not evaluate variables for it, nor
 * truncate text.
 */
const usual: Partial<Record<keyof RequestRow, string>> = {
  path: '$uri',
  query: '$bw_short_query',
  referer: '$bw_short_referer',
  userAgent: '$bw_short_agent',
  cause: '0',
  guard: '',
  rule: '0',
  action: 'pass',
  wafScore: '0',
  waf: '',
  cache: 'HIT',
  route: 'cached',
  originTime: '0',
  originAddress: '',
  originStatus: '0',
  originFailure: '',
  weight: '1',
  bot: '',
  wafShadow: '',
}

/** Text that is known to be short. nginx would write `-` for a header that is not there; a map has an empty value. */
const short = {
  bw_short_query: '$args',
  bw_short_referer: '$http_referer',
  bw_short_agent: '$http_user_agent',
}

/** Truncates a variable. The expression needs at least that many bytes, so PCRE rejects ordinary values at once. */
function cut(source: string, target: string, max: number): string[] {
  return [`map $${source} $${target} {`, `  default $${source};`, `  "~^([\\s\\S]{${max}})[\\s\\S]" $1;`, '}']
}

export function logFormat(settings: NodeSettings): string[] {
  const sources = fields(settings)
  const row = (values: Partial<Record<keyof RequestRow, string>>) =>
    [rowMark, ...rowColumns.map((name) => values[name])].join('\\t')
  return [
    ...cut('uri', 'bw_log_path', textMax.path),
    ...cut('args', 'bw_log_query', textMax.query),
    ...cut('http_referer', 'bw_log_referer', textMax.referer),
    ...cut('http_user_agent', 'bw_log_agent', textMax.agent),
    ...defaults(short),
    'map $server_protocol $bw_http_version {',
    '  default 1.1;',
    '  HTTP/1.0 1.0;',
    '  HTTP/2.0 2;',
    '  HTTP/3.0 3;',
    '}',
    'map $bw_route $bw_cache {',
    "  default '';",
    '  cached $upstream_cache_status;',
    '  direct DIRECT;',
    '}',
    `log_format requests escape=default '${row(sources)}';`,
    `log_format usual escape=default '${row({ ...sources, ...usual })}';`,
  ]
}
