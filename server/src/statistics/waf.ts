/** Counts WAF matches. Rows store them as text (`rule:score:where`, separated by spaces), which the store splits. */
import { wafStatistics } from '@breakwater/contract/statistics/waf.ts'
import type { ClickHouseClient } from '@clickhouse/client'
import { withSystem } from '../db/database.ts'
import { allOf, type Clause } from '../events/clause.ts'
import { resolveScope, scopeClause } from '../events/scope.ts'
import { queryRows, type ReadLimits } from '../events/store.ts'
import { makeWantRows } from '../events/want-rows.ts'
import { type Feature, implementOpen } from '../http/implement.ts'
import { spanClause } from '../logs/log-rows.ts'
import { isMatched } from '../logs/waf-log.ts'
import type { Services } from '../process/services.ts'
import { ruleTextsOf } from '../waf/site-rule-set.ts'
import { attackersSql, peopleSql } from '../waf/visitors.ts'
import { narrow } from './narrowing.ts'

const limits: ReadLimits = { seconds: 10, rows: 50_000_000, bytes: 1_000_000_000 }

export function wafStatisticsFeature({ events, database }: Pick<Services, 'events' | 'database'>): Feature {
  const wantRows = makeWantRows(database.db)
  return implementOpen(wafStatistics, {
    async matches({ transact, caller, body }) {
      const scope = await transact((db) => resolveScope(db, caller.tier, body))
      if (scope.sites.length === 0) return { matched: 0, blocked: 0, rules: [], matches: [] }
      await wantRows(scope.sites)
      const { clause } = narrow(body.filter)
      const around = allOf([scopeClause(scope), spanClause(body.startTime, body.endTime)])
      const [counted, textOf] = await Promise.all([
        countMatches(events, around, allOf([around, clause, isMatched]), body.top),
        withSystem(database.db, (db) => ruleTextsOf(db, scope.sites)),
      ])
      const named = <Row extends OfRule>(row: Row) => ({ ...row, name: textOf(row.ruleID)?.name ?? '' })
      return { ...counted, rules: counted.rules.map(named), matches: counted.matches.map(named) }
    },
  })
}

type Counts = { requests: number; blocked: number; addresses: number }
type OfRule = Counts & { ruleID: number }
type Match = OfRule & {
  siteID: number
  domainName: string
  path: string
  target: string
  newest: string
  people: number
  attackers: number
}

const counts = `sum(weight) AS requests, sumIf(weight, guard = 'waf' AND action IN ('block', 'challenge')) AS blocked,
  uniqCombined(14)(address) AS addresses`
const idOf = (match: string) => `toUInt32OrZero(splitByChar(':', ${match})[1])`
const rule = `${idOf('match')} AS ruleID`
/** A request counts once for a rule, however many of its values the rule matched. */
const rulesApart = `arrayDistinct(arrayMap(match -> ${idOf('match')}, splitByChar(' ', waf)))`
const target = "arrayStringConcat(arraySlice(splitByChar(':', match), 3), ':') AS target"
const newest = `argMax(concat(toString(toUnixTimestamp64Milli(time)), '-', toString(site), '-', requestId), time) AS newest`
const ranked = 'ORDER BY requests DESC, ruleID LIMIT {top:UInt32}'

/** `around` is only the scope and the span: what else the visitors did. */
async function countMatches(events: ClickHouseClient, around: Clause, where: Clause, top: number) {
  const ask = <Row>(sql: string) => queryRows<Row>(events, sql, { ...where.params, top }, limits)
  const apart = `requests_raw_v1 ARRAY JOIN splitByChar(' ', waf) AS match
    WHERE ${where.sql} AND ${idOf('match')} > 0`
  const [[whole], rules, matches] = await Promise.all([
    ask<Counts>(`SELECT ${counts} FROM requests_raw_v1 WHERE ${where.sql}`),
    ask<OfRule>(`SELECT ruleID, ${counts} FROM requests_raw_v1 ARRAY JOIN ${rulesApart} AS ruleID
      WHERE ${where.sql} AND ruleID > 0 GROUP BY ruleID ${ranked}`),
    ask<Match>(`SELECT ${rule}, site AS siteID, domain AS domainName, path, ${target}, ${counts}, ${newest},
      uniqCombinedIf(14)(address, address IN (${peopleSql(around)})) AS people,
      uniqCombinedIf(14)(address, address IN (${attackersSql(around)})) AS attackers
      FROM ${apart} GROUP BY ruleID, site, domain, path, target ${ranked}`),
  ])
  return {
    ...{ matched: whole?.requests ?? 0, blocked: whole?.blocked ?? 0 },
    ...{ rules, matches: matches.map(({ newest: row, ...match }) => ({ ...match, row })) },
  }
}
