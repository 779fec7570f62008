/** What a row of the log says in each field, as a filter wants it; empty where it says nothing. */
import type { AccessLogRow } from '@breakwater/contract/logs/access.ts'
import type { FacetField } from '@breakwater/contract/logs/explorer.ts'

/** A number that is 0 where there was none. */
const some = (value: number) => (value > 0 ? String(value) : '')

/** The node is not among them: a row has its name, the filter wants its number. */
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

/** What a column of the table is filtered by; nothing where it cannot be, or this row says nothing there. */
export function valueAt(row: AccessLogRow, column: string): { field: FacetField; value: string } | undefined {
  const wanted = column === 'url' ? 'hostPath' : column
  const [field, value] = rowValues(row).find(([name]) => name === wanted) ?? []
  return field && value ? { field, value } : undefined
}
