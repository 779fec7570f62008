/** The report of an attack, counted from the rows of its time span. */
import { type AttackReport, type ListedAttack, reportTop } from '@breakwater/contract/firewall/attacks.ts'
import { logDays } from '@breakwater/contract/logs/explorer.ts'
import type { ClickHouseClient } from '@clickhouse/client'
import { allOf, type Clause } from '../events/clause.ts'
import { scopeClause } from '../events/scope.ts'
import { queryRows, type ReadLimits } from '../events/store.ts'
import { addressText } from '../events/top-lists.ts'
import { spanClause } from '../logs/log-rows.ts'

const limits: ReadLimits = { seconds: 15, rows: 200_000_000, bytes: 2_000_000_000 }
/** The time before the attack that is shown for comparison. */
const leadMs = 60_000
const barsMax = 90
/** Rows have the time of the response, and nodes end an attack with a precision of seconds. */
const afterMs = 5_000

const stopped = "action IN ('block', 'challenge')"

/** Counts everything that the log still has of the attack. */
export async function reportOf(
  events: ClickHouseClient,
  attack: ListedAttack,
  now: Date,
): Promise<Omit<AttackReport, 'banned'>> {
  const beganMs = Date.parse(attack.beganAt)
  const endMs = attack.endedAt === null ? now.getTime() : Math.min(now.getTime(), Date.parse(attack.endedAt) + afterMs)
  const ofSite = scopeClause({ sites: [attack.siteID], domains: null, zones: null })
  const during = allOf([ofSite, spanClause(beganMs, endMs)])
  const shown = allOf([ofSite, spanClause(beganMs - leadMs, endMs)])
  const step = Math.max(1, Math.ceil((endMs - beganMs + leadMs) / 1000 / barsMax))
  const top = (column: string) => topOf(events, during, column)
  const [[sums], guards, series, countries, addresses, paths, userAgents] = await Promise.all([
    queryRows<Sums>(events, sumsSql(during), during.params, limits),
    queryRows<AttackReport['guards'][number]>(events, guardsSql(during), during.params, limits),
    queryRows<Bar>(events, seriesSql(shown), { ...shown.params, step }, limits),
    ...([top('country'), top(addressText), top('path'), top('userAgent')] as const),
  ])
  return {
    ...attack,
    isWhole: beganMs > now.getTime() - logDays * 86_400_000,
    until: new Date(endMs).toISOString(),
    ...(sums ?? { requests: 0, refused: 0, challenged: 0, toOrigin: 0, failures: 0, peak: 0 }),
    ...{ guards, countries, addresses, paths, userAgents },
    series: series.map(({ at, ...bar }) => ({ time: new Date(at * 1000).toISOString(), ...bar })),
  }
}

type Sums = Pick<AttackReport, 'requests' | 'refused' | 'challenged' | 'toOrigin' | 'failures' | 'peak'>
type Bar = { at: number; requests: number; stopped: number }

const sumsSql = ({
  sql,
}: Clause) => `SELECT sum(n) AS requests, sum(r) AS refused, sum(c) AS challenged, sum(o) AS toOrigin,
  sum(f) AS failures, max(n) AS peak FROM (
  SELECT toUnixTimestamp(time) AS second, sum(weight) AS n, sumIf(weight, action = 'block') AS r,
    sumIf(weight, action = 'challenge') AS c, sumIf(weight, originStatus > 0 OR originFailure != '') AS o,
    sumIf(weight, originStatus >= 500 OR originFailure != '') AS f
  FROM requests_raw_v1 WHERE ${sql} GROUP BY second)`

const guardsSql = ({ sql }: Clause) => `SELECT guard, action, sum(weight) AS requests FROM requests_raw_v1
  WHERE ${sql} AND ${stopped} GROUP BY guard, action ORDER BY requests DESC, guard LIMIT 20`

const seriesSql = ({ sql }: Clause) => `SELECT intDiv(toUnixTimestamp(time), {step:UInt32}) * {step:UInt32} AS at,
  sum(weight) AS requests, sumIf(weight, ${stopped}) AS stopped FROM requests_raw_v1 WHERE ${sql} GROUP BY at ORDER BY at`

async function topOf(events: ClickHouseClient, during: Clause, column: string): Promise<AttackReport['countries']> {
  const rows = await queryRows<{ name: string; requests: number; distinct: number }>(
    events,
    `SELECT name, requests, count() OVER () AS distinct FROM (
      SELECT ${column} AS name, sum(weight) AS requests FROM requests_raw_v1 WHERE ${during.sql} AND ${stopped} GROUP BY name)
    ORDER BY requests DESC, name LIMIT {top:UInt32}`,
    { ...during.params, top: reportTop },
    limits,
  )
  return { distinct: rows[0]?.distinct ?? 0, rows: rows.map(({ name, requests }) => ({ name, requests })) }
}
