/**
 * Tries a zone's firewall settings on the logged requests to all of its sites: a list of addresses, or a rate limit.
 */
import { zoneTrial } from '@breakwater/contract/nodes/zone-trial.ts'
import type { Database } from '../db/database.ts'
import { allOf, type Clause } from '../events/clause.ts'
import { resolveScope, scopeClause } from '../events/scope.ts'
import { Fault } from '../http/fault.ts'
import { type Feature, implementOpen } from '../http/implement.ts'
import { spanClause } from '../logs/log-rows.ts'
import type { Services } from '../process/services.ts'
import { requireZone } from './require-zone.ts'
import { tryLimit } from './try-zone-limit.ts'
import { tryList } from './try-zone-list.ts'
import { type Found, hourly } from './zone-trial-found.ts'

const hourMs = 3_600_000
/** Over all operators together: each run keeps the event store busy. */
const runsMax = 2

type Call = {
  transact: <T>(run: (db: Database) => Promise<T>) => Promise<T>
  zoneId: number
  body: { hours: number }
}

export function zoneTrialFeature({ events }: Pick<Services, 'events'>): Feature {
  let running = 0

  /** Runs as the caller: only sites that it may see count, and only their names are returned. */
  async function run({ transact, zoneId, body }: Call, find: (rows: Clause) => Promise<Found>) {
    const startedMs = performance.now()
    const now = Date.now()
    const span = { fromMs: now - body.hours * hourMs, toMs: now }
    const scope = await transact(async (db) => {
      const { id } = await requireZone(db, zoneId)
      return resolveScope(db, 'client', { siteIDs: [], domainIDs: [], zoneIDs: [id] })
    })
    if (running >= runsMax) throw new Fault('itemsExceedLimit', { max: runsMax }, { status: 429 })
    running++
    try {
      const { hours, topSites, ...found } = await find(allOf([scopeClause(scope), spanClause(span.fromMs, span.toMs)]))
      const names = await transact((db) => namesOf(db, topSites))
      return {
        from: new Date(span.fromMs).toISOString(),
        to: new Date(span.toMs).toISOString(),
        requests: hours.reduce((sum, { requests }) => sum + requests, 0),
        ...found,
        topSites: topSites.map(({ site, requests }) => ({
          siteID: site,
          name: names.get(site) ?? `${site}`,
          requests,
        })),
        series: hourly(span, hours),
        took: Math.round(performance.now() - startedMs),
      }
    } finally {
      running--
    }
  }

  return implementOpen(zoneTrial, {
    list: (call) => run(call, (rows) => tryList(events, rows, call.body.ips)),
    limit: (call) => run(call, (rows) => tryLimit(events, rows, call.body)),
  })
}

async function namesOf(db: Database, sites: readonly { site: number }[]): Promise<Map<number, string>> {
  if (sites.length === 0) return new Map()
  const ids = sites.map(({ site }) => site)
  const rows = await db.selectFrom('sites').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
