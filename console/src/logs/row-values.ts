/** The values of a log row by field, as a filter expects them; empty if it has none. */
import type { AccessLogRow } from '@breakwater/contract/logs/access.ts'
import type { FacetField } from '@breakwater/contract/logs/explorer.ts'

/** A number that is 0 if there was none. */
const some = (value: number) => (value > 0 ? String(value) : '')

/** Without the node: a row has its name, but the filter needs its number. */
export const rowValues = (row: AccessLogRow): [Exclude<FacetField, 'node'>, string][] => [
  ['action', row.action],
  ['status', String(row.status)],
  ['guard', row.guard],
  ['rule', some(row.rule)],
  ['cause', some(row.cause)],
  ['host', row.domainName],
  ['hostPath', `${row.domainName}${row.url.split('?')[0]}`],
  ['ip', row.clientIP],
  ['country', row.country],
  ['asn', some(row.asn)],
  ['bot', row.bot],
  ['method', row.method],
  ['scheme', row.scheme],
  ['httpVersion', row.httpVersion],
  ['cache', row.cache],
  ['route', row.route],
  ['originStatus', some(row.originStatus)],
  ['originFailure', row.originFailure],
  ['userAgent', row.userAgent],
  ['referer', row.referer],
  ['contentType', row.contentType],
]

/** Returns the filter for a column of the table; undefined if the column has none, or this row has no value there. */
export function valueAt(row: AccessLogRow, column: string): { field: FacetField; value: string } | undefined {
  const wanted = column === 'url' ? 'hostPath' : column
  const [field, value] = rowValues(row).find(([name]) => name === wanted) ?? []
  return field && value ? { field, value } : undefined
}
