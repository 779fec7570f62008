/** What a list of addresses would have refused, from logged requests. */
import { parseRange } from '@breakwater/contract/addresses.ts'
import { type ClickHouseClient, TupleParam } from '@clickhouse/client'
import type { Clause } from '../events/clause.ts'
import { queryRows } from '../events/store.ts'
import { isRefused } from '../events/top-lists.ts'
import { storedText } from '../logs/log-filter.ts'
import { clientOf, type Found, type FoundHour, shownClient, topMax } from './zone-trial-found.ts'

/** Comparisons of an address with a range: some seconds of work for the event store. */
const comparisonsMax = 1_000_000_000

/** Single addresses are looked up in a set, ranges one by one. */
function listClause(ips: readonly string[]): { clause: Clause; ranges: number } {
  const all = ips.flatMap((text) => parseRange(text) ?? [])
  const single = all.filter(({ from, to }) => from === to)
  const ranges = all.filter(({ from, to }) => from !== to)
  const params = {
    ips: single.map(({ family, from }) => storedText(family, from)),
    ranges: ranges.map(({ family, from, to }) => new TupleParam([storedText(family, from), storedText(family, to)])),
  }
  const sql = `(address IN (SELECT toIPv6(arrayJoin({ips:Array(String)})))
  OR arrayExists(r -> address >= toIPv6(r.1) AND address <= toIPv6(r.2), {ranges:Array(Tuple(String, String))}))`
  return { clause: { sql, params }, ranges: ranges.length }
}

type Sum = { requests: number }

/** With many rows and many ranges, only one request in `oneIn` is read, and the counts are multiplied. */
export async function tryList(events: ClickHouseClient, rows: Clause, ips: readonly string[]): Promise<Found> {
  const { clause, ranges } = listClause(ips)
  const counted = `SELECT count() AS found FROM requests_raw_v1 WHERE ${rows.sql}`
  const [all] = await queryRows<{ found: number }>(events, counted, rows.params)
  const oneIn = Math.max(1, Math.ceil(((all?.found ?? 0) * ranges) / comparisonsMax))
  const params = { ...rows.params, ...clause.params, oneIn, topMax }
  const read = `FROM requests_raw_v1 WHERE ${rows.sql} AND cityHash64(requestId) % {oneIn:UInt32} = 0`
  const top = (name: string) =>
    `SELECT ${name} AS name, sum(weight) * {oneIn:UInt32} AS requests ${read} AND ${clause.sql} GROUP BY name ORDER BY requests DESC, name LIMIT {topMax:UInt32}`
  const ask = <Row>(query: string) => queryRows<Row>(events, query, params)
  const [hours, addresses, sites, different] = await Promise.all([
    ask<
      FoundHour & { before: number }
    >(`SELECT toUnixTimestamp(toStartOfHour(time)) AS hour, sum(weight) * {oneIn:UInt32} AS requests,
  sumIf(weight, ${clause.sql}) * {oneIn:UInt32} AS refused, sumIf(weight, ${clause.sql} AND ${isRefused}) * {oneIn:UInt32} AS before ${read} GROUP BY hour`),
    ask<Sum & { name: string }>(top(clientOf)),
    ask<Sum & { name: number }>(top('site')),
    ask<{ addresses: number; sites: number }>(
      `SELECT uniq(${clientOf}) AS addresses, uniqExact(site) AS sites ${read} AND ${clause.sql}`,
    ),
  ])
  return {
    hours,
    would: { block: hours.reduce((sum, { refused }) => sum + refused, 0), challenge: 0 },
    alreadyRefused: hours.reduce((sum, { before }) => sum + before, 0),
    ...(different[0] ?? { addresses: 0, sites: 0 }),
    topAddresses: addresses.map(({ name, requests }) => ({ name: shownClient(name), requests })),
    topSites: sites.map(({ name, requests }) => ({ site: name, requests })),
    ...{ oneIn, isPartial: false },
  }
}
