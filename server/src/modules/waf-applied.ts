/**
 * When exceptions of a WAF module last applied to a request, from the rows of the log, and which did not apply for a
 * week.
 */
import { exceptWord } from '@breakwater/contract/edge/waf-words.ts'
import { logDays } from '@breakwater/contract/logs/explorer.ts'
import { idleDays, type WafApplied } from '@breakwater/contract/modules/waf-simulation.ts'
import type { ClickHouseClient } from '@clickhouse/client'
import type { Database } from '../db/database.ts'
import { allOf } from '../events/clause.ts'
import { type EventScope, scopeClause } from '../events/scope.ts'
import { queryRows, type ReadLimits } from '../events/store.ts'
import { spanClause } from '../logs/log-rows.ts'

const limits: ReadLimits = { seconds: 10, rows: 300_000_000, bytes: 1_000_000_000 }
const dayMs = 86_400_000

/** `isAsked`: it is enabled and has not expired. `sinceMs`: since when rows have recorded it in its present form. */
type Exception = { id: number; isAsked: boolean; sinceMs: number }

/** `isOn`: whether the module is evaluated at all. */
export async function readExceptions(db: Database, moduleId: number, isOn: boolean): Promise<Exception[]> {
  const rows = await db.selectFrom('rules').selectAll().where('moduleId', '=', moduleId).orderBy('id').execute()
  return rows.map(({ id, enabled, body, updatedAt, toldSince }) => {
    const ends = body.expiresAt as string | null | undefined
    const hasEnded = ends !== undefined && ends !== null && Date.parse(ends) <= Date.now()
    const sinceMs = Math.max(updatedAt.getTime(), toldSince.getTime())
    return { id, isAsked: isOn && enabled && !hasEnded, sinceMs }
  })
}

/**
 * `isWhole`: the scope covers everything that the module is bound to, so that what is not in its rows did not happen.
 */
export async function readApplied(
  events: ClickHouseClient,
  scope: EventScope,
  { exceptions, isWhole }: { exceptions: readonly Exception[]; isWhole: boolean },
  nowMs: number,
): Promise<WafApplied> {
  if (scope.sites.length === 0 || exceptions.length === 0)
    return exceptions.map(({ id }) => ({ id, appliedAt: null, isIdle: false }))
  const idleFrom = nowMs - idleDays * dayMs
  const [newest, reaches] = await Promise.all([readNewest(events, scope, nowMs), reachesBack(events, scope, idleFrom)])
  return exceptions.map(({ id, isAsked, sinceMs }) => {
    const applied = newest.get(id)
    const isIdle = isWhole && reaches && isAsked && sinceMs <= idleFrom && (applied ?? 0) < idleFrom
    return { id, appliedAt: applied === undefined ? null : new Date(applied).toISOString(), isIdle }
  })
}

async function readNewest(events: ClickHouseClient, scope: EventScope, nowMs: number): Promise<Map<number, number>> {
  const where = allOf([scopeClause(scope), spanClause(nowMs - logDays * dayMs, nowMs + dayMs)])
  const rows = await queryRows<{ id: number; newest: number }>(
    events,
    `SELECT toUInt32OrZero(substring(word, {begin:UInt8})) AS id, max(toUnixTimestamp64Milli(time)) AS newest
     FROM requests_raw_v1 ARRAY JOIN splitByChar(' ', waf) AS word
     WHERE ${where.sql} AND position(waf, {except:String}) > 0 AND startsWith(word, {except:String}) GROUP BY id`,
    { ...where.params, except: `${exceptWord}:`, begin: exceptWord.length + 2 },
    limits,
  )
  return new Map(rows.map(({ id, newest }) => [id, newest]))
}

/** Whether the log of the scope reaches back that far: in a younger or emptied one, missing rows prove nothing. */
async function reachesBack(events: ClickHouseClient, scope: EventScope, idleFrom: number): Promise<boolean> {
  const where = allOf([scopeClause(scope), spanClause(0, idleFrom)])
  const rows = await queryRows(events, `SELECT 1 FROM requests_raw_v1 WHERE ${where.sql} LIMIT 1`, where.params, limits)
  return rows.length > 0
}
