/** The log of requests that WAF rules matched, whether or not they were refused. */
import type { RequestRow } from '@breakwater/contract/edge/events.ts'
import { wafLog } from '@breakwater/contract/logs/waf.ts'
import { readWaf } from '@breakwater/contract/modules/waf-exceptions.ts'
import type { Clause } from '../events/clause.ts'
import { resolveScope } from '../events/scope.ts'
import { makeWantRows } from '../events/want-rows.ts'
import { type Feature, implementOpen } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { matchedSql } from '../waf/matched.ts'
import { listRows } from './access-list.ts'
import { presentRows } from './log-rows.ts'

/** Rows that a rule matched, or that could not be inspected completely. */
export const isMatched: Clause = { sql: `(${matchedSql})`, params: {} }

export function wafLogFeature({ database, events }: Pick<Services, 'database' | 'events'>): Feature {
  const wantRows = makeWantRows(database.db)
  return implementOpen(wafLog, {
    async list({ transact, caller, body }) {
      const scope = await transact((db) => resolveScope(db, caller.tier, body))
      await wantRows(scope.sites)
      const { rows, total, isCapped } = await listRows(events, scope, body, isMatched)
      const shown = await presentRows(database.db, rows)
      return { data: shown.map((row, at) => ({ ...row, ruleID: ruleOf(rows[at]!) })), total, isCapped }
    },
  })
}

const ruleOf = ({ guard, rule, waf = '' }: RequestRow): number =>
  guard === 'waf' && rule > 0 ? rule : (readWaf(waf).matches[0]?.ruleID ?? 0)
