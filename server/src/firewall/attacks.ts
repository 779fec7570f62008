/** Attacks on the sites that the caller may see, and the report of one. */
import { attacks, attacksMax } from '@breakwater/contract/firewall/attacks.ts'
import { asSystem, type Database } from '../db/database.ts'
import { Fault } from '../http/fault.ts'
import { type Feature, implement, implementOpen } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { reportOf } from './attack-report.ts'
import { type Attack, attacksOn } from './attacks-on.ts'

export function attacksFeature({ events }: Services): Feature {
  const { list, report } = attacks
  return [
    ...implement(
      { list },
      {
        async list({ db, query }) {
          const names = await siteNames(db, query.siteID)
          const found = (await asSystem(db, (tx) => attacksOn(tx, [...names.keys()]))).slice(0, attacksMax)
          const { page, pageSize } = query
          return { data: found.slice((page - 1) * pageSize, page * pageSize).map(named(names)), total: found.length }
        },
      },
    ),
    ...implementOpen(
      { report },
      {
        async report({ transact, query }) {
          const { attack, banned } = await transact(async (db) => {
            const names = await siteNames(db, await siteOf(db, query.attack))
            const found = await asSystem(db, (tx) => attacksOn(tx, [...names.keys()]))
            const attack = found.find(({ ids }) => ids.includes(query.attack))
            if (!attack) throw new Fault('permissionDenied')
            return { attack: named(names)(attack), banned: await asSystem(db, (tx) => bannedIn(tx, attack)) }
          })
          return { ...(await reportOf(events, attack, new Date())), banned }
        },
      },
    ),
  ]
}

/** Row-level security decides which sites and attacks there are. */
async function siteNames(db: Database, siteID: number | undefined): Promise<Map<number, string>> {
  let sites = db.selectFrom('sites').select(['id', 'name']).where('removedAt', 'is', null)
  if (siteID !== undefined) sites = sites.where('id', '=', siteID)
  return new Map((await sites.execute()).map(({ id, name }) => [id, name]))
}

async function siteOf(db: Database, attack: number): Promise<number> {
  const row = await db.selectFrom('siteAttacks').select('siteId').where('id', '=', attack).executeTakeFirst()
  if (!row) throw new Fault('permissionDenied')
  return row.siteId
}

const named =
  (names: ReadonlyMap<number, string>) =>
  ({ siteId, ids: _, ...attack }: Attack) => ({ ...attack, siteID: siteId, siteName: names.get(siteId) ?? '' })

async function bannedIn(db: Database, { siteId, beganAt, endedAt }: Attack): Promise<number> {
  let bans = db
    .selectFrom('bans')
    .select((on) => on.fn.countAll<number>().as('n'))
    .where('siteId', '=', siteId)
    .where('createdAt', '>=', new Date(beganAt))
  if (endedAt !== null) bans = bans.where('createdAt', '<=', new Date(endedAt))
  return Number((await bans.executeTakeFirstOrThrow()).n)
}
