/**
 * The access log: pages, the live stream, and Explain. Nobody can read rows of a site that they may not see, whatever
 * the filter.
 */
import { accessLog } from '@breakwater/contract/logs/access.ts'
import { LogFilter } from '@breakwater/contract/logs/filter.ts'
import type { Tier } from '@breakwater/contract/tiers.ts'
import { type Database, withSystem } from '../db/database.ts'
import { makeCompleteUntil } from '../events/complete-until.ts'
import { resolveScope } from '../events/scope.ts'
import { makeWantRows } from '../events/want-rows.ts'
import { Fault, fieldFault } from '../http/fault.ts'
import { type Feature, implementOpen } from '../http/implement.ts'
import { parse } from '../http/parse.ts'
import { watchRights } from '../http/rights-watch.ts'
import type { Services } from '../process/services.ts'
import { artefactAt, ruleAt } from '../publish/read.ts'
import { scoresOfSite } from '../reputation/reputation.ts'
import { ruleSetOfSite, ruleTextsOf } from '../waf/site-rule-set.ts'
import { listRows } from './access-list.ts'
import { asLogged } from './as-logged.ts'
import { readReference, referenceOf, rowOfReference, rowOfRequest, simulate } from './explain.ts'
import { readBefore } from './explain-before.ts'
import { readByZone, type SeenZone } from './explain-zone.ts'
import { explainInLab } from './lab.ts'
import { openTail } from './live-tail.ts'
import { nodeNames, presentRows } from './log-rows.ts'
import { makeNoticeBus } from './notice-bus.ts'
import { openEventStream } from './sse.ts'

const everything = { siteIDs: [], domainIDs: [], zoneIDs: [] }
const streamsPerAccountMax = 10

export function accessLogFeature({ env, database, events, vault, publisher, logger }: Services): Feature {
  const bus = makeNoticeBus(env.databaseUrl, logger)
  const completeUntil = makeCompleteUntil(database.db)
  const wantRows = makeWantRows(database.db)
  const streams = new Map<number, number>()

  return implementOpen(accessLog, {
    async list({ transact, caller, body }) {
      const scope = await transact((db) => resolveScope(db, caller.tier, body))
      await wantRows(scope.sites)
      const { rows, total, isCapped } = await listRows(events, scope, body)
      return { data: await presentRows(database.db, rows), total, isCapped }
    },

    async live({ transact, caller, query, request, reply }) {
      const filter = readFilter(query.filter)
      const scope = await transact((db) => resolveScope(db, caller.tier, filter))
      const open = streams.get(caller.accountId) ?? 0
      if (open >= streamsPerAccountMax) throw new Fault('itemsExceedLimit', undefined, { status: 429 })
      const tail = openTail({ events, bus, completeUntil }, scope, filter, {
        onRows: async (rows) => stream.send('row', await presentRows(database.db, rows)),
        onLag: (lag) => stream.send('lag', lag),
        onError: (error) => logger.warn({ err: error }, 'live log'),
      })
      streams.set(caller.accountId, open + 1)
      const stream = openEventStream(request, reply, () => {
        tail.close()
        streams.set(caller.accountId, (streams.get(caller.accountId) ?? 1) - 1)
      })
      // The caller's own rights are checked for every stream; whether the scope still has the same sites is checked
      // here.
      watchRights(reply.raw, async () => {
        const now = await transact((db) => resolveScope(db, caller.tier, filter))
        return JSON.stringify(now) === JSON.stringify(scope)
      })
    },

    async explain({ transact, caller, body, audit }) {
      const reference = await readReference(database.db, vault, body.reference)
      const scope = await transact((db) =>
        resolveScope(db, caller.tier, reference ? { ...everything, siteIDs: [reference.site] } : everything),
      )
      await wantRows(scope.sites)
      const row = reference
        ? await rowOfReference(events, scope, reference)
        : await rowOfRequest(events, scope, body.reference)
      const told = reference ?? (row && referenceOf(row))
      if (!told) throw new Fault('permissionDenied')
      audit.siteId = told.site
      const { name } = await transact((db) =>
        db.selectFrom('sites').select('name').where('id', '=', told.site).executeTakeFirstOrThrow(),
      )
      const [rule, rendered, score = 0, text] = await withSystem(database.db, async (db) => [
        told.rule > 0 && told.guard !== 'waf'
          ? await ruleAt(db, publisher.parts, told.site, told.revision, told.rule)
          : undefined,
        row &&
          (await artefactAt(db, publisher, told.site, told.revision, (await ruleSetOfSite(db, told.site)).objects)),
        row && (await scoresOfSite(db, told.site))([row.address])[row.address],
        told.guard === 'waf' ? (await ruleTextsOf(db, [told.site]))(told.rule) : undefined,
      ])
      const names = await nodeNames(database.db, [told.node])
      const explanation =
        row && rendered ? await explainInLab(env.dataFolder, rendered, simulate(row, score), logger) : null
      const seen =
        row && caller.permissions.has('zones.read')
          ? await transact((db) => seenZone(db, caller.tier, row.zone))
          : undefined
      return {
        siteID: told.site,
        siteName: name,
        node: names.get(told.node) ?? String(told.node),
        revision: told.revision,
        time: new Date(told.time * 1000).toISOString(),
        guard: told.guard,
        rule: told.rule,
        cause: told.cause,
        ruleBody: text ?? rule?.body ?? null,
        row: row ? (await presentRows(database.db, [row]))[0]! : null,
        explanation: explanation && asLogged(explanation, row!),
        byZone: row ? await readByZone({ db: database.db, events }, row, seen) : null,
        before: row
          ? await readBefore({ db: database.db, events, parts: publisher.parts }, scope, row, rule?.body)
          : null,
      }
    },
  })
}

/**
 * The zone, with all that the caller sees of it, if the caller may see zones: a member of the operator that manages it.
 */
async function seenZone(db: Database, tier: Tier, id: number): Promise<SeenZone | undefined> {
  const zone = await db.selectFrom('zones').select(['id', 'name']).where('id', '=', id).executeTakeFirst()
  return zone && { ...zone, scope: await resolveScope(db, tier, { ...everything, zoneIDs: [id] }) }
}

/** The filter of a live stream is sent as JSON in the URL. */
function readFilter(text: string): LogFilter {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw fieldFault('filter', 'wrongFormat')
  }
  return parse(LogFilter, value, 'filter')
}
