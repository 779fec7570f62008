/** What a change of a WAF module would have let through in the last hours, according to the log. */
import { methods } from '@breakwater/contract/fields.ts'
import type { WafModule, WafModuleRule } from '@breakwater/contract/modules/waf.ts'
import {
  type SimulatedRow,
  simulationHours,
  simulationRowsMax,
  type WafSimulation,
} from '@breakwater/contract/modules/waf-simulation.ts'
import type { ClickHouseClient } from '@clickhouse/client'
import { allOf } from '../events/clause.ts'
import { type EventScope, scopeClause } from '../events/scope.ts'
import { queryRows, type ReadLimits } from '../events/store.ts'
import { addressText } from '../events/top-lists.ts'
import { spanClause } from '../logs/log-rows.ts'
import { rowName } from '../logs/row-name.ts'
import { isMatched } from '../logs/waf-log.ts'
import type { SavedRule } from '../publish/document.ts'
import { type Judge, judgeOf, type Rescored } from '../waf/rescore.ts'
import type { SiteRuleSet } from '../waf/site-rule-set.ts'
import { attackersSql, peopleSql } from '../waf/visitors.ts'

const limits: ReadLimits = { seconds: 10, rows: 50_000_000, bytes: 1_000_000_000 }
const examplesMax = 10

type Row = {
  time: number
  site: number
  requestId: string
  domain: string
  address: string
  method: string
  path: string
  waf: string
  wafScore: number
  weight: number
  isAttacker: number
  isPerson: number
}

/** A module as saved or proposed: its settings, its rules in evaluation order, and the rule set that they refer to. */
export type TriedModule = {
  settings: WafModule
  rules: WafModuleRule[]
  ruleSet: Pick<SiteRuleSet, 'objects' | 'texts'>
}

/** A saved rule of a module, completed with the contract's defaults. */
export const ruleOf = ({ body }: SavedRule): WafModuleRule => ({
  ...{ urlRegex: '', methodValues: [...methods], target: '', action: 'off', blockType: 0, priority: 100 },
  ...{ expiresAt: null, memo: '', enabled: true },
  ...(body as Partial<WafModuleRule> & Pick<WafModuleRule, 'ruleID' | 'name'>),
})

/** Additional rules merged with those of a module, each at the position where it would be saved. */
export const withRules = (rules: readonly WafModuleRule[], more: readonly WafModuleRule[]): WafModuleRule[] =>
  [...rules, ...more].filter(({ enabled }) => enabled).sort((a, b) => a.priority - b.priority)

export function judgeOfModule({ settings, rules, ruleSet }: TriedModule, now: Date): Judge {
  const levels = new Map(ruleSet.texts.map(({ id, level }) => [id, level]))
  return judgeOf(settings, rules, (rule) => levels.get(rule) ?? 1, now)
}

/** Reads the matched rows of a scope and judges each by both modules. */
export async function simulateChange(
  events: ClickHouseClient,
  scope: EventScope,
  { before, after }: { before: TriedModule; after: TriedModule },
  now: Date,
): Promise<WafSimulation> {
  const fromMs = now.getTime() - simulationHours * 3_600_000
  const around = allOf([scopeClause(scope), spanClause(fromMs, now.getTime())])
  const rows = scope.sites.length === 0 ? [] : await readMatched(events, around)
  const isPartial = rows.length > simulationRowsMax
  const read = isPartial ? rows.slice(0, simulationRowsMax) : rows
  const [as, would] = [judgeOfModule(before, now), judgeOfModule(after, now)]
  const sums = new Sums()
  for (const row of read) sums.add(row, as(row), would(row))
  return { from: new Date(fromMs).toISOString(), rows: read.length, isPartial, ...sums.told() }
}

function readMatched(events: ClickHouseClient, around: ReturnType<typeof allOf>): Promise<Row[]> {
  return queryRows<Row>(
    events,
    `SELECT toUnixTimestamp64Milli(r.time) / 1000 AS time, site, requestId, domain, ${addressText} AS address, method, path,
  waf, wafScore, weight, r.address IN (${attackersSql(around)}) AS isAttacker, r.address IN (${peopleSql(around)}) AS isPerson
FROM requests_raw_v1 AS r WHERE ${around.sql} AND ${isMatched.sql} ORDER BY r.time DESC LIMIT {most:UInt32}`,
    { ...around.params, most: simulationRowsMax + 1 },
    limits,
  )
}

/** Rules that detect attacks, not protocol violations: one that still matches shows that the request is an attack. */
const isOfAttack = (told: string): boolean => /^9(?:3|4)\d{4}:/.test(told)

class Sums {
  readonly #sums = {
    ...{ matched: 0, refused: 0, touched: 0, passing: 0, refusedThen: 0, people: 0, attacks: 0, unsure: 0 },
  }
  readonly #addresses = new Set<string>()
  readonly #examples: SimulatedRow[] = []

  add(row: Row, before: Rescored, after: Rescored): void {
    const sums = this.#sums
    const { weight } = row
    sums.matched += weight
    if (before.isRefused) sums.refused += weight
    const isTouched = before.kept.length !== after.kept.length
    if (isTouched) sums.touched += weight
    if (after.isRefused && !before.isRefused) sums.refusedThen += weight
    if (before.isRefused && !before.isUnsure && after.isUnsure) sums.unsure += weight
    if (!before.isRefused || after.isRefused) return
    const isAttack = row.isAttacker === 1 || after.kept.some(isOfAttack)
    const isPerson = row.isPerson === 1 && !isAttack
    sums.passing += weight
    if (isAttack) sums.attacks += weight
    if (isPerson) sums.people += weight
    this.#addresses.add(row.address)
    this.#example(row, before, after, { isAttack, isPerson })
  }

  /** Examples that look like attacks replace others. */
  #example(row: Row, before: Rescored, after: Rescored, is: Pick<SimulatedRow, 'isAttack' | 'isPerson'>): void {
    const examples = this.#examples
    if (examples.length >= examplesMax) {
      const other = is.isAttack ? examples.findIndex(({ isAttack }) => !isAttack) : -1
      if (other < 0) return
      examples.splice(other, 1)
    }
    const { time, address, method, domain: host, path, waf } = row
    examples.push({
      ...{ row: rowName(row), time: new Date(time * 1000).toISOString(), address, method, host, path, waf },
      ...{ score: { before: before.score, after: after.score }, ...is },
    })
  }

  told() {
    const examples = this.#examples.sort((a, b) => Number(b.isAttack) - Number(a.isAttack))
    return { ...this.#sums, addresses: this.#addresses.size, examples }
  }
}
