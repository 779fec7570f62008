/**
 * The verdicts of the rule set in shadow on live requests, next to the actual ones. Rows store them as text (contract:
 * `waf-shadow.ts`).
 */
import { shadowNameLength, shadowWords } from '@breakwater/contract/edge/waf-shadow.ts'
import { type WafShadow, wafShadow, zoneShadow } from '@breakwater/contract/nodes/rule-sets.ts'
import type { ClickHouseClient } from '@clickhouse/client'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { allOf, type Clause } from '../events/clause.ts'
import { type EventScope, resolveScope, scopeClause } from '../events/scope.ts'
import { queryRows, type ReadLimits } from '../events/store.ts'
import { type Feature, implementOpen } from '../http/implement.ts'
import { spanClause } from '../logs/log-rows.ts'
import type { Services } from '../process/services.ts'
import type { RuleText } from '../waf/compile.ts'
import type { BothMatched } from '../waf/more-often.ts'
import { peopleSql } from '../waf/visitors.ts'

const limits: ReadLimits = { seconds: 10, rows: 50_000_000, bytes: 1_000_000_000 }
const spanMs = 86_400_000
const rulesMax = 20
const examplesMax = 10

const nothing: Omit<WafShadow, 'node'> = {
  ...{ requests: 0, refused: 0, refusedInShadow: 0, onlyNow: 0, onlyInShadow: 0 },
  ...{ rules: [], examples: [] },
}

export function wafShadowFeature({ events }: Pick<Services, 'events'>): Feature {
  return implementOpen(wafShadow, {
    async outcome({ transact, caller, zoneId }) {
      const [scope, inShadow] = await transact(async (db) => [
        await resolveScope(db, caller.tier, { siteIDs: [], domainIDs: [], zoneIDs: [zoneId] }),
        await readInShadow(db, zoneId),
      ])
      if (!inShadow || scope.sites.length === 0) return { node: inShadow?.node ?? null, ...nothing }
      const { around, asked } = clausesOf(scope, inShadow.hash)
      const names = new Map(inShadow.texts.map((text) => [text.id, text.name]))
      const { whole, rules, examples } = await compare(events, around, allOf([around, asked]))
      return {
        node: inShadow.node,
        ...(whole ?? nothing),
        rules: rules.map((rule) => ({ ...rule, name: names.get(rule.ruleID) ?? '' })),
        examples: examples.map((example) => ({ ...example, isRefusedNow: example.isRefusedNow === 1 })),
      }
    },
  })
}

/** The rows of the last day, and those of them that the rule set with this hash evaluated in shadow. */
function clausesOf(scope: EventScope, hash: Buffer): { around: Clause; asked: Clause } {
  const now = Date.now()
  const name = hash.toString('hex').slice(0, shadowNameLength)
  return {
    around: allOf([scopeClause(scope), spanClause(now - spanMs, now)]),
    asked: { sql: "startsWith(wafShadow, concat({shadow:String}, ' '))", params: { shadow: name } },
  }
}

/** The number of rules in a set. */
const bothMax = 4000

/**
 * How often each rule matched the same live requests: in the active rule set, and in the one of this hash, which was in
 * shadow.
 */
export async function matchedByBoth(events: ClickHouseClient, scope: EventScope, hash: Buffer): Promise<BothMatched> {
  if (scope.sites.length === 0) return { requests: 0, rules: [] }
  const { around, asked } = clausesOf(scope, hash)
  const where = allOf([around, asked])
  const ask = <Row>(question: string) => queryRows<Row>(events, question, { ...where.params, max: bothMax }, limits)
  const [[whole], rules] = await Promise.all([
    ask<{ requests: number }>(
      `SELECT sum(weight) AS requests FROM requests_raw_v1 WHERE ${where.sql} LIMIT {max:UInt32}`,
    ),
    ask<BothMatched['rules'][number]>(
      `SELECT ruleID, sumIf(weight, has(matchedBefore, ruleID)) AS before, sumIf(weight, has(matchedNow, ruleID)) AS now,
        uniqCombinedIf(14)(address, has(matchedNow, ruleID) AND address IN (${peopleSql(around)})) AS people
      FROM (SELECT weight, address, ${idsOf("splitByChar(' ', waf)")} AS matchedBefore, ${ruleIds} AS matchedNow
        FROM requests_raw_v1 WHERE ${where.sql})
      ARRAY JOIN arrayDistinct(arrayConcat(matchedBefore, matchedNow)) AS ruleID
      GROUP BY ruleID ORDER BY now DESC, ruleID LIMIT {max:UInt32}`,
    ),
  ])
  return { requests: whole?.requests ?? 0, rules }
}

type InShadow = { hash: Buffer; texts: RuleText[]; node: string | null }

/** The rule set that the zone has in shadow; undefined if there is none. Runs as the caller. */
async function readInShadow(db: Database, zoneId: number): Promise<InShadow | undefined> {
  const { rows } = await sql<InShadow>`
    select r.hash, r.texts, n.name as node from settings s join waf_rule_sets r on r.id = (s.value->>'ruleSetId')::int
    join zones z on z.id = s.owner_id
    left join zone_revisions told on told.zone_id = z.id and told.revision = z.revision
    left join nodes n on n.id = (told.body->'settings'->${zoneShadow.name}->>'node')::int
    where s.owner = 'zone' and s.owner_id = ${zoneId}::int and s.name = ${zoneShadow.name}`.execute(db)
  return rows[0]
}

type Counted = Pick<WafShadow, 'requests' | 'refused' | 'refusedInShadow' | 'onlyNow' | 'onlyInShadow'>
type Rule = Omit<WafShadow['rules'][number], 'name'>
type Example = Omit<WafShadow['examples'][number], 'isRefusedNow'> & { isRefusedNow: number }

const said = "splitByChar(' ', wafShadow)"
const isRefused = `${said}[2] = '${shadowWords.refuse}'`
const isRefusedInShadow = `${said}[3] = '${shadowWords.refuse}'`
const onlyInShadow = `${isRefusedInShadow} AND NOT ${isRefused}`
const idsOf = (matches: string) =>
  `arrayFilter(id -> id > 0, arrayDistinct(arrayMap(match -> toUInt32OrZero(splitByChar(':', match)[1]), ${matches})))`
const ruleIds = idsOf(`arraySlice(${said}, 5)`)

/** `around` is only the scope and the span: what else the visitors did. */
async function compare(events: ClickHouseClient, around: Clause, where: Clause) {
  const ask = <Row>(question: string, max: number) => queryRows<Row>(events, question, { ...where.params, max }, limits)
  const [[whole], rules, examples] = await Promise.all([
    ask<Counted>(
      `SELECT sum(weight) AS requests, sumIf(weight, ${isRefused}) AS refused,
        sumIf(weight, ${isRefusedInShadow}) AS refusedInShadow, sumIf(weight, ${isRefused} AND NOT ${isRefusedInShadow}) AS onlyNow,
        sumIf(weight, ${onlyInShadow}) AS onlyInShadow
      FROM requests_raw_v1 WHERE ${where.sql} LIMIT {max:UInt32}`,
      1,
    ),
    ask<Rule>(
      `SELECT ruleID, sum(weight) AS requests, sumIf(weight, ${onlyInShadow}) AS onlyInShadow,
        uniqCombinedIf(14)(address, ${onlyInShadow} AND address IN (${peopleSql(around)})) AS people
      FROM requests_raw_v1 ARRAY JOIN ${ruleIds} AS ruleID WHERE ${where.sql}
      GROUP BY ruleID ORDER BY onlyInShadow DESC, requests DESC, ruleID LIMIT {max:UInt32}`,
      rulesMax,
    ),
    ask<Example>(
      `SELECT concat(toString(toUnixTimestamp64Milli(time)), '-', toString(site), '-', requestId) AS row,
        formatDateTime(time, '%Y-%m-%dT%H:%i:%SZ', 'UTC') AS at, site AS siteID, method,
        substring(if(query = '', path, concat(path, '?', query)), 1, 300) AS url, ${isRefused} AS isRefusedNow, ${ruleIds} AS rules
      FROM requests_raw_v1 WHERE ${where.sql} AND ${said}[2] != ${said}[3] ORDER BY time DESC LIMIT {max:UInt32}`,
      examplesMax,
    ),
  ])
  return { whole, rules, examples }
}
