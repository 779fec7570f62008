/** The zones assigned to an operator's sub-accounts. Callers can only assign zones that they themselves manage. */
import { accountZones } from '@breakwater/contract/account/zones.ts'
import { asSystem, type Database } from '../db/database.ts'
import { Fault, fieldFault } from '../http/fault.ts'
import { type Caller, type Feature, implement } from '../http/implement.ts'
import { requireBelow, requireKnown, type Target } from './known-accounts.ts'

/** Only the operator's own staff have zones; customers have none. */
function requireOwn(caller: Caller, target: Target): void {
  if (target.tenantId !== caller.tenantId || target.isRoot) throw new Fault('permissionDenied')
}

const zonesOf = (db: Database, accountId: number) =>
  asSystem(db, (tx) =>
    tx
      .selectFrom('accountZones')
      .innerJoin('zones', 'zones.id', 'accountZones.zoneId')
      .select(['zones.id', 'zones.name'])
      .where('accountId', '=', accountId)
      .orderBy('zones.name')
      .execute(),
  )

export function accountZonesFeature(): Feature {
  return implement(accountZones, {
    async list({ db, caller, clientId }) {
      const target = await requireKnown(db, caller, clientId, 'client')
      requireOwn(caller, target)
      const data = await zonesOf(db, target.id)
      return { data, total: data.length }
    },

    async set({ db, caller, clientId, body, audit }) {
      const target = await requireBelow(db, caller, clientId, 'client')
      requireOwn(caller, target)
      const wanted = [...new Set(body.zoneIDs)]
      // Queried as the caller, who can neither assign a zone they do not manage nor lift the restriction with an empty
      // list.
      const known = wanted.length
        ? await db.selectFrom('zones').select(['id', 'name']).where('id', 'in', wanted).orderBy('name').execute()
        : []
      const ids = new Set(known.map(({ id }) => id))
      const missing = body.zoneIDs.findIndex((id) => !ids.has(id))
      if (missing >= 0) throw fieldFault(`zoneIDs.${missing}`, 'unknownZone')
      if (caller.zoneIds && wanted.length === 0) throw fieldFault('zoneIDs', 'exceedsYours', 'permissionDenied')
      const before = await zonesOf(db, target.id)
      await asSystem(db, async (tx) => {
        await tx.deleteFrom('accountZones').where('accountId', '=', target.id).execute()
        const rows = wanted.map((zoneId) => ({ accountId: target.id, zoneId }))
        if (rows.length > 0) await tx.insertInto('accountZones').values(rows).execute()
      })
      const names = (zones: { name: string }[]) => ({ zones: zones.map(({ name }) => name) })
      audit.detail = { id: target.id, account: target.account, before: names(before), after: names(known) }
    },
  })
}
