/** Rows of the access log: reading them from the event store, and presenting them as the API does. */

import type { RequestRow } from '@breakwater/contract/edge/events.ts'
import type { AccessLogRow } from '@breakwater/contract/logs/access.ts'
import type { ClickHouseClient } from '@clickhouse/client'
import { type NetworkNames, networkNamesOf } from '../address-data/network-names.ts'
import { type Database, withSystem } from '../db/database.ts'
import type { Clause } from '../events/clause.ts'
import { type Params, queryRows } from '../events/store.ts'
import { addressText } from '../events/top-lists.ts'
import { rowName } from './row-name.ts'

const columns = `toUnixTimestamp64Milli(time) / 1000 AS time, node, zone, site, revision, requestId, domain, ${addressText} AS address,
  country, asn, bot, method, scheme, httpVersion, path, query, status, cause, guard, rule, action, wafScore, waf, cache, route, bytesSent, bytesReceived,
  requestTime, originTime, originAddress, originStatus, originFailure, referer, userAgent, contentType, weight`

/** `thenById` makes the order of rows of the same millisecond stable. */
export type RowOrder = {
  by: 'time' | 'status' | 'bytesSent' | 'requestTime'
  direction: 'asc' | 'desc'
  thenById?: boolean
}

/** Reads rows, newest first unless an order is given. */
export function readRows(
  events: ClickHouseClient,
  where: Clause,
  limit: number,
  offset = 0,
  order: RowOrder = { by: 'time', direction: 'desc' },
): Promise<RequestRow[]> {
  return queryRows<RequestRow>(events, rowsSql(where.sql, order), { ...where.params, limit, offset } satisfies Params)
}

/** ORDER BY names the table's column: an alias of the same name would be sorted only after everything was read. */
export function rowsSql(where: string, { by, direction, thenById }: RowOrder): string {
  const up = direction.toUpperCase()
  const order = `r.${by} ${up}${thenById ? `, r.requestId ${up}` : ''}`
  return `SELECT ${columns}\nFROM requests_raw_v1 AS r\nWHERE ${where}\nORDER BY ${order}\nLIMIT {limit:UInt32} OFFSET {offset:UInt32}`
}

/** A time range in epoch milliseconds, `to` exclusive. */
export function spanClause(fromMs: number, toMs: number): Clause {
  return {
    sql: "time >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC') AND time < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')",
    params: { fromMs: Math.floor(fromMs), toMs: Math.floor(toMs) },
  }
}

/** Names of nodes for display; a removed node is shown by its number. */
export async function nodeNames(db: Database, ids: number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const wanted = [...new Set(ids)]
  const rows = await withSystem(db, (tx) =>
    tx.selectFrom('nodes').select(['id', 'name']).where('id', 'in', wanted).execute(),
  )
  return new Map(rows.map((row) => [row.id, row.name]))
}

export async function presentRows(db: Database, rows: RequestRow[]): Promise<AccessLogRow[]> {
  const names = await nodeNames(
    db,
    rows.map((row) => row.node),
  )
  const networks = await networkNamesOf(
    db,
    rows.map((row) => row.site),
  )
  return rows.map((row) => presentRow(row, names.get(row.node) ?? String(row.node), networks))
}

function presentRow(
  { time, site, domain, address, path, query, bytesSent, requestId, zone: _, ...row }: RequestRow,
  node: string,
  networks: NetworkNames,
): AccessLogRow {
  return {
    ...row,
    asn: row.asn ?? 0,
    network: networks(row.asn ?? 0),
    bot: row.bot ?? '',
    originFailure: row.originFailure ?? '',
    wafScore: row.wafScore ?? 0,
    waf: row.waf ?? '',
    id: rowName({ time, site, requestId }),
    time: new Date(Math.round(time * 1000)).toISOString(),
    siteID: site,
    domainName: domain,
    clientIP: address,
    url: query === '' ? path : `${path}?${query}`,
    traffic: bytesSent,
    reqID: requestId,
    node,
  }
}
