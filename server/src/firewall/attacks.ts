/** Attacks on the sites that the caller may see, and the report of one. */
import { attacks, attacksMax, type ListedAttack } from '@breakwater/contract/firewall/attacks.ts'
import { creditsOf } from '../address-data/credits.ts'
import { findBrand } from '../brand/brands.store.ts'
import { product } from '../brand/title.ts'
import { asSystem, type Database } from '../db/database.ts'
import { makeWantRows } from '../events/want-rows.ts'
import { Fault } from '../http/fault.ts'
import { type Feature, implement, implementOpen } from '../http/implement.ts'
import { askedLanguage } from '../http/message.ts'
import type { Services } from '../process/services.ts'
import { reportOf } from './attack-report.ts'
import { type Attack, attacksOn } from './attacks-on.ts'
import { contentOf } from './report-pdf/content.ts'
import { makePdf } from './report-pdf/make-pdf.ts'

export function attacksFeature({ database, events }: Services): Feature {
  const { list, report, pdf } = attacks
  const wantRows = makeWantRows(database.db)
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
      { report, pdf },
      {
        async report({ transact, query }) {
          const { attack, banned } = await transact((db) => requireAttack(db, query.attack))
          await wantRows([attack.siteID])
          return { ...(await reportOf(events, attack, new Date())), banned }
        },

        async pdf({ transact, tier, caller, query, request, reply }) {
          const { attack, banned } = await transact((db) => requireAttack(db, query.attack))
          const brand = await findBrand(database.db, tier, request.hostname.toLowerCase())
          const { countries } = await transact((db) => asSystem(db, (tx) => creditsOf(tx, caller.tenantId)))
          const content = contentOf({
            report: { ...(await reportOf(events, attack, new Date())), banned },
            locale: query.locale ?? askedLanguage(request.headers['accept-language']),
            timeZone: query.timeZone,
            brand: brand?.texts.title || product,
            accent: brand?.accent || undefined,
            credit: countries,
          })
          const file = await makePdf(caller.tenantId, content)
          reply.header('content-type', attacks.pdf.file)
          reply.header('content-disposition', `attachment; filename="attack-${attack.id}.pdf"`)
          reply.header('cache-control', 'no-store')
          reply.send(file)
        },
      },
    ),
  ]
}

/** An attack that the caller may see, and how many addresses were banned during it. */
async function requireAttack(db: Database, id: number): Promise<{ attack: ListedAttack; banned: number }> {
  const names = await siteNames(db, await siteOf(db, id))
  const found = await asSystem(db, (tx) => attacksOn(tx, [...names.keys()]))
  const attack = found.find(({ ids }) => ids.includes(id))
  if (!attack) throw new Fault('permissionDenied')
  return { attack: named(names)(attack), banned: await asSystem(db, (tx) => bannedIn(tx, attack)) }
}

/** Row-level security decides which sites and attacks are visible. */
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
