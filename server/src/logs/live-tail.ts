/**
 * The access log live, for one watcher: a notice tells that a node's rows of certain seconds are stored, and they are
 * read from the event store, at most once a second and at most 50 at a time. Rows left out are counted.
 */

import type { RequestRow } from '@breakwater/contract/edge/events.ts'
import type { LogFilter } from '@breakwater/contract/logs/filter.ts'
import type { ClickHouseClient } from '@clickhouse/client'
import { allOf, type Clause } from '../events/clause.ts'
import type { CompleteUntil } from '../events/complete-until.ts'
import type { RowsNotice } from '../events/notice.ts'
import { type EventScope, scopeClause } from '../events/scope.ts'
import { queryRows } from '../events/store.ts'
import { filterClause } from './log-filter.ts'
import { readRows, spanClause } from './log-rows.ts'
import type { NoticeBus } from './notice-bus.ts'

const pollEveryMs = 1_000
const rowsPerPollMax = 50
const backlogRows = 20
const backlogMs = 15 * 60_000
/** Batches read per query; a watcher that falls further behind skips the oldest. */
const noticesMax = 100
/** Rows that a node uploaded later than this (it was cut off) are history, not live. */
const liveMs = 60_000

export type Watcher = {
  /** Newest first. */
  onRows(rows: RequestRow[]): Promise<void>
  onLag(lag: { lagMs: number; dropped: number }): void
  onError(error: unknown): void
}
export type Tail = { close(): void }

export function openTail(
  { events, bus, completeUntil }: { events: ClickHouseClient; bus: NoticeBus; completeUntil: CompleteUntil },
  scope: EventScope,
  filter: LogFilter,
  watcher: Watcher,
): Tail {
  const matching = allOf([scopeClause(scope), filterClause(filter)])
  const sites = new Set(scope.sites)
  const shown = new Set<string>()
  let waiting: RowsNotice[] = []
  let timer: NodeJS.Timeout | undefined
  let lastPoll = 0
  let newestMs = 0
  let dropped = 0
  let closed = false

  async function show(rows: RequestRow[]): Promise<void> {
    const fresh = rows.filter((row) => !shown.has(row.requestId))
    for (const row of fresh) shown.add(row.requestId)
    // Only the backlog and the first batches can overlap.
    for (const id of shown) if (shown.size > 500) shown.delete(id)
    if (fresh.length === 0 || closed) return
    newestMs = Math.max(newestMs, fresh[0]!.time * 1000)
    await watcher.onRows(fresh)
  }

  async function poll(): Promise<void> {
    const where = allOf([matching, batchesClause(waiting, Date.now() - liveMs)])
    waiting = []
    lastPoll = Date.now()
    const rows = await readRows(events, where, rowsPerPollMax)
    if (rows.length === rowsPerPollMax) dropped += (await countOf(events, where)) - rowsPerPollMax
    await show(rows)
  }

  function schedule(): void {
    if (timer !== undefined || closed) return
    timer = setTimeout(
      () =>
        poll()
          .catch(watcher.onError)
          .finally(() => {
            timer = undefined
            if (waiting.length > 0) schedule()
          }),
      Math.max(0, lastPoll + pollEveryMs - Date.now()),
    )
  }

  function onNotice(notice: RowsNotice): void {
    if (notice.sites !== null && !notice.sites.some((site) => sites.has(site))) return
    waiting.push(notice)
    if (waiting.length > noticesMax) waiting.shift()
    schedule()
  }

  /**
   * The backlog is read once notices are being received, so that no row falls in between; and again after notices may
   * have been missed.
   */
  function onListening(): void {
    const now = Date.now()
    readRows(events, allOf([matching, spanClause(now - backlogMs, now + 1_000)]), backlogRows)
      .then(show)
      .catch(watcher.onError)
  }

  const unsubscribe = bus.subscribe({ onNotice, onListening })
  /**
   * How far the nodes are behind, not the age of the newest row: on a quiet site the rows are old and nothing is
   * missing.
   */
  async function tellLag(): Promise<void> {
    const until = Math.max(newestMs, (await completeUntil(scope.sites)).rows * 1000)
    if (!closed) watcher.onLag({ lagMs: Math.max(0, Math.round(Date.now() - until)), dropped })
  }
  const lagTimer = setInterval(() => tellLag().catch(watcher.onError), 1_000)

  return {
    close() {
      closed = true
      unsubscribe()
      clearInterval(lagTimer)
      clearTimeout(timer)
    },
  }
}

/** The rows of certain batches that are recent. */
function batchesClause(notices: RowsNotice[], sinceMs: number): Clause {
  const parts = notices.map(({ node, batch, from, to }, i) => ({
    sql: `(node = {node${i}:UInt32} AND batch = {batch${i}:UInt64} AND time >= fromUnixTimestamp64Milli({from${i}:Int64}, 'UTC') AND time < fromUnixTimestamp64Milli({to${i}:Int64}, 'UTC'))`,
    params: {
      [`node${i}`]: node,
      [`batch${i}`]: batch,
      [`from${i}`]: Math.max(from * 1000, Math.floor(sinceMs)),
      [`to${i}`]: (to + 1) * 1000,
    },
  }))
  return {
    sql: `(${parts.map((part) => part.sql).join(' OR ')})`,
    params: Object.assign({}, ...parts.map((part) => part.params)),
  }
}

async function countOf(events: ClickHouseClient, where: Clause): Promise<number> {
  const rows = await queryRows<{ total: number }>(
    events,
    `SELECT count() AS total FROM requests_raw_v1 WHERE ${where.sql}`,
    where.params,
  )
  return rows[0]?.total ?? 0
}
