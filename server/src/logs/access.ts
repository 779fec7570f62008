/** The access log: pages, the live stream, and Explain. Nobody reads rows of a site that it may not see, by whatever filter. */
import { accessLog, LogFilter } from '@breakwater/contract/logs/access.ts'
import { type Database, withSystem } from '../db/database.ts'
import { resolveScope } from '../events/scope.ts'
import { Fault, fieldFault } from '../http/fault.ts'
import { type Feature, implementOpen } from '../http/implement.ts'
import { parse } from '../http/parse.ts'
import type { Services } from '../http/services.ts'
import { artefactAt, ruleAt } from '../publish/read.ts'
import { listRows } from './access-list.ts'
import { readReference, referenceOf, rowOfReference, rowOfRequest, simulate } from './explain.ts'
import { explainInLab } from './lab.ts'
import { openTail } from './live-tail.ts'
import { nodeNames, presentRows } from './log-rows.ts'
import { makeNoticeBus } from './notice-bus.ts'
import { openEventStream } from './sse.ts'

const everything = { siteIDs: [], domainIDs: [], zoneIDs: [] }
/** How often a stream is held against the session and the sites it was opened with; one that no longer may ends. */
const recheckMs = 10_000
const streamsPerAccountMax = 10

export function accessLogFeature({ env, database, events, vault, logger }: Services): Feature {
  const bus = makeNoticeBus(env.databaseUrl, logger)
  const streams = new Map<number, number>()

  return implementOpen(accessLog, {
    async list({ transact, caller, body }) {
      const scope = await transact((db) => resolveScope(db, caller.tier, body))
      const { rows, total, isCapped } = await listRows(events, scope, body)
      return { data: await presentRows(database.db, rows), total, isCapped }
    },

    async live({ transact, caller, query, request, reply }) {
      const filter = readFilter(query.filter)
      const scope = await transact((db) => resolveScope(db, caller.tier, filter))
      const open = streams.get(caller.accountId) ?? 0
      if (open >= streamsPerAccountMax) throw new Fault('itemsExceedLimit', undefined, { status: 429 })
      const tail = openTail({ events, bus }, scope, filter, {
        onRows: async (rows) => stream.send('row', await presentRows(database.db, rows)),
        onLag: (lag) => stream.send('lag', lag),
        onError: (error) => logger.warn({ err: error }, 'live log'),
      })
      streams.set(caller.accountId, open + 1)
      const stream = openEventStream(request, reply, () => {
        tail.close()
        clearInterval(recheck)
        streams.set(caller.accountId, (streams.get(caller.accountId) ?? 1) - 1)
      })
      const recheck = setInterval(async () => {
        const now = await transact((db) => resolveScope(db, caller.tier, filter)).catch(() => undefined)
        const isSame = JSON.stringify(now) === JSON.stringify(scope)
        if (!isSame || !(await isSessionOpen(database.db, caller.sessionId).catch(() => false))) stream.end()
      }, recheckMs)
    },

    async explain({ transact, caller, body, audit }) {
      const reference = await readReference(database.db, vault, body.reference)
      const scope = await transact((db) =>
        resolveScope(db, caller.tier, reference ? { ...everything, siteIDs: [reference.site] } : everything),
      )
      const row = reference
        ? await rowOfReference(events, scope, reference)
        : await rowOfRequest(events, scope, body.reference)
      const told = reference ?? (row && referenceOf(row))
      if (!told) throw new Fault('permissionDenied')
      audit.siteId = told.site
      const { name } = await transact((db) =>
        db.selectFrom('sites').select('name').where('id', '=', told.site).executeTakeFirstOrThrow(),
      )
      const [rule, rendered] = await withSystem(database.db, async (db) => [
        told.rule > 0 ? await ruleAt(db, told.site, told.revision, told.rule) : undefined,
        row && (await artefactAt(db, told.site, told.revision, env.allowOrigins)),
      ])
      const names = await nodeNames(database.db, [told.node])
      return {
        siteID: told.site,
        siteName: name,
        node: names.get(told.node) ?? String(told.node),
        revision: told.revision,
        time: new Date(told.time * 1000).toISOString(),
        guard: told.guard,
        rule: told.rule,
        cause: told.cause,
        ruleBody: rule?.body ?? null,
        row: row ? (await presentRows(database.db, [row]))[0]! : null,
        explanation: row && rendered ? await explainInLab(env.dataFolder, rendered, simulate(row), logger) : null,
      }
    },
  })
}

function isSessionOpen(db: Database, sessionId: number): Promise<boolean> {
  return withSystem(db, async (tx) => {
    const open = tx.selectFrom('sessions').select('id').where('id', '=', sessionId).where('endedAt', 'is', null)
    return (await open.executeTakeFirst()) !== undefined
  })
}

/** The filter of a live stream travels as JSON in the address. */
function readFilter(text: string): LogFilter {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw fieldFault('filter', 'wrongFormat')
  }
  return parse(LogFilter, value, 'filter')
}
