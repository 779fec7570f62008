/** Keyset access to rows: the rows after one, and a single row. */
import type { RequestRow } from '@breakwater/contract/edge/events.ts'
import type { Parsed } from '@breakwater/contract/endpoint.ts'
import type { logExplorer } from '@breakwater/contract/logs/explorer.ts'
import type { ClickHouseClient } from '@clickhouse/client'
import { allOf, type Clause } from '../events/clause.ts'
import { type EventScope, scopeClause } from '../events/scope.ts'
import { filterClause } from './log-filter.ts'
import { readRows, spanClause } from './log-rows.ts'
import { type RowKey, rowKey } from './row-name.ts'

type Body = Parsed<typeof logExplorer.rows>['body']

/** A page of rows, newest first, after the given row if there is one. */
export function readKeyed(events: ClickHouseClient, scope: EventScope, body: Body): Promise<RequestRow[]> {
  const where = allOf([
    scopeClause(scope),
    spanClause(body.startTime, body.endTime),
    filterClause(body),
    body.after === undefined ? undefined : afterClause(rowKey(body.after)),
  ])
  return readRows(events, where, body.limit, 0, { by: 'time', direction: 'desc', thenById: true })
}

/** The first condition lets the engine skip data by the table's order; the second is exact. */
function afterClause({ ms, requestId }: RowKey): Clause {
  const at = "fromUnixTimestamp64Milli({afterMs:Int64}, 'UTC')"
  return {
    sql: `time <= ${at} AND (time < ${at} OR requestId < {afterId:String})`,
    params: { afterMs: ms, afterId: requestId },
  }
}

export async function readOne(
  events: ClickHouseClient,
  scope: EventScope,
  { ms, requestId }: RowKey,
): Promise<RequestRow | undefined> {
  const isIt: Clause = { sql: 'requestId = {rowId:String}', params: { rowId: requestId } }
  const [row] = await readRows(events, allOf([scopeClause(scope), spanClause(ms, ms + 1), isIt]), 1)
  return row
}
