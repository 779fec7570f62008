/** The name of a log row: used in links and as the cursor between pages. */
import type { RequestRow } from '@breakwater/contract/edge/events.ts'

export type RowKey = { ms: number; site: number; requestId: string }

/** The name of a row, and the row key of a name. The contract has checked the format. */
export const rowName = (row: Pick<RequestRow, 'time' | 'site' | 'requestId'>): string =>
  `${Math.round(row.time * 1000)}-${row.site}-${row.requestId}`

export function rowKey(name: string): RowKey {
  const [ms, site, ...rest] = name.split('-')
  return { ms: Number(ms), site: Number(site), requestId: rest.join('-') }
}
