/** A page of the access log. */

import type { RequestRow } from '@breakwater/contract/edge/events.ts'
import type { Parsed } from '@breakwater/contract/endpoint.ts'
import { type accessLog, logTotalMax } from '@breakwater/contract/logs/access.ts'
import type { ClickHouseClient } from '@clickhouse/client'
import { allOf, type Clause } from '../events/clause.ts'
import { type EventScope, scopeClause } from '../events/scope.ts'
import { queryRows } from '../events/store.ts'
import { filterClause } from './log-filter.ts'
import { type RowOrder, readRows, spanClause } from './log-rows.ts'

type Body = Parsed<typeof accessLog.list>['body']

const sortColumns: Record<Body['sortBy'], RowOrder['by']> = {
  time: 'time',
  status: 'status',
  traffic: 'bytesSent',
  requestTime: 'requestTime',
}

export type RowPage = { rows: RequestRow[]; total: number; isCapped: boolean }

/**
 * The rows of a page, and their number up to the cap; `of` restricts the log to a subset of rows. Rows beyond the cap
 * cannot be paged to: narrow the filter.
 */
export async function listRows(events: ClickHouseClient, scope: EventScope, body: Body, of?: Clause): Promise<RowPage> {
  if (scope.sites.length === 0) return { rows: [], total: 0, isCapped: false }
  const where = allOf([scopeClause(scope), spanClause(body.startTime, body.endTime), filterClause(body), of])
  const offset = (body.page - 1) * body.pageSize
  const limit = Math.min(body.pageSize, logTotalMax - offset)
  const order = { by: sortColumns[body.sortBy], direction: body.orderBy }
  const [rows, counted] = await Promise.all([
    limit <= 0 ? [] : readRows(events, where, limit, offset, order),
    countRows(events, where, logTotalMax + 1),
  ])
  return { rows, total: Math.min(counted, logTotalMax), isCapped: counted > logTotalMax }
}

/** Counts rows, but no further than `max`. */
async function countRows(events: ClickHouseClient, where: Clause, max: number): Promise<number> {
  const rows = await queryRows<{ total: number }>(
    events,
    `SELECT count() AS total FROM (SELECT 1 FROM requests_raw_v1 WHERE ${where.sql} LIMIT {max:UInt32})`,
    { ...where.params, max },
  )
  return rows[0]?.total ?? 0
}
