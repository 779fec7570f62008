/** The vendor's calls for managing licences. */
import { LicenseSetting, licenseCheck, licenses } from '@breakwater/contract/licenses/licenses.ts'
import { type Database, withSystem } from '../db/database.ts'
import { Fault } from '../http/fault.ts'
import { type Feature, implement, implementPublic } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import {
  findOperator,
  type LicenseRow,
  limitsOf,
  listLicenses,
  lockLicenses,
  removeLicenses,
  requireLicense,
  requireOperator,
} from './licenses.store.ts'
import { type Issuer, openIssuer, serialOf } from './signing.ts'

const {
  offlineList: _offlineList,
  offlineIssue: _offlineIssue,
  offlineUpdate: _offlineUpdate,
  offlineRemove: _offlineRemove,
  offlineUnregister: _offlineUnregister,
  ...online
} = licenses

export function licensesFeature(services: Services): Feature {
  const issuer = () => openIssuer(services.env.dataFolder)
  return [...onlineCalls(issuer), ...checkCall(services, issuer)]
}

/** Signs a row as it stands, for the operator that holds the licence. */
export async function signRow(db: Database, issuer: Issuer, row: LicenseRow): Promise<string> {
  const holder = row.userId === null ? undefined : await requireOperator(db, row.userId)
  return issuer.write({
    serial: row.serial,
    kind: row.kind,
    type: row.type,
    holder: holder?.name || holder?.account || row.name,
    limits: row.limits,
    issuedAt: new Date().toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    installation: row.installation,
    revokedAt: row.revokedAt?.toISOString() ?? null,
  })
}

function onlineCalls(issuer: () => Issuer): Feature {
  return implement(online, {
    list: ({ db, query }) => listLicenses(db, 'online', query),

    async create({ db, caller, body, audit }) {
      await requireOperator(db, body.userID)
      audit.detail = { after: body }
      return db
        .insertInto('licenses')
        .values({
          tenantId: caller.tenantId,
          kind: 'online',
          userId: body.userID,
          name: body.name,
          type: body.type,
          limits: JSON.stringify(limitsOf(body)),
          expiresAt: new Date(body.expiredAt),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
    },

    async update({ db, body, audit }) {
      const { name, type, limits, expiresAt } = await requireLicense(db, body.id, 'online')
      audit.detail = { id: body.id, before: { name, type, limits, expiresAt }, after: body }
      const after = { name: body.name, type: body.type, limits: JSON.stringify(limitsOf(body)) }
      await db
        .updateTable('licenses')
        .set({ ...after, expiresAt: new Date(body.expiredAt) })
        .where('id', '=', body.id)
        .execute()
    },

    async remove({ db, body, audit }) {
      const rows = await lockLicenses(db, body.ids, 'online')
      const isInForce = rows.some((row) => row.key !== null && row.revokedAt === null && row.expiresAt > new Date())
      if (isInForce) throw new Fault('parameterError', 'in force: revoke it first')
      audit.detail = { ids: await removeLicenses(db, rows) }
    },

    async issue({ db, body, audit }) {
      const row = await requireLicense(db, body.id, 'online')
      if (row.userId !== body.userID || row.revokedAt !== null) throw new Fault('licenseMissing')
      const booked = await takeOver(db, row)
      const key = await signRow(db, issuer(), booked)
      audit.detail = { id: row.id, serial: row.serial }
      await db.updateTable('licenses').set({ key, issuedAt: new Date() }).where('id', '=', row.id).execute()
      return { key }
    },

    async revoke({ db, body, audit }) {
      for (const id of body.ids) {
        const row = await requireLicense(db, id, 'online')
        const key = row.key && (await signRow(db, issuer(), { ...row, revokedAt: new Date() }))
        await db.updateTable('licenses').set({ revokedAt: new Date(), key }).where('id', '=', id).execute()
      }
      audit.detail = { ids: body.ids }
    },

    publicKey: async () => ({ publicKey: issuer().publicKey.toString('base64') }),

    async order({ db, userId }) {
      if (!(await findOperator(db, userId))) throw new Fault('licenseMissing')
      const row = await db.selectFrom('licenseOrders').select('setting').where('userId', '=', userId).executeTakeFirst()
      return { licenseSetting: LicenseSetting.parse(row?.setting ?? {}) }
    },

    async updateOrder({ db, caller, userId, body, audit }) {
      await requireOperator(db, userId)
      const setting = JSON.stringify(body.licenseSetting)
      audit.detail = { userID: userId, after: body.licenseSetting }
      await db
        .insertInto('licenseOrders')
        .values({ userId, tenantId: caller.tenantId, setting })
        .onConflict((on) => on.column('userId').doUpdateSet({ setting, updatedAt: new Date() }))
        .execute()
    },
  })
}

/** Copies what the operator has booked since into the licence that is being issued. A booking is applied once. */
async function takeOver(db: Database, row: LicenseRow): Promise<LicenseRow> {
  if (row.userId === null) return row
  const order = await db
    .deleteFrom('licenseOrders')
    .where('userId', '=', row.userId)
    .returning('setting')
    .executeTakeFirst()
  if (!order) return row
  const { type, months, limits } = LicenseSetting.parse(order.setting)
  const expiresAt = new Date()
  expiresAt.setUTCMonth(expiresAt.getUTCMonth() + months)
  await db
    .updateTable('licenses')
    .set({ type, limits: JSON.stringify(limits), expiresAt })
    .where('id', '=', row.id)
    .execute()
  return { ...row, type, limits, expiresAt }
}

/** Called by an installation to get the newest text of its licence. */
function checkCall({ database }: Services, issuer: () => Issuer): Feature {
  return implementPublic(licenseCheck, {
    async check({ body }) {
      const serial = serialOf(body.key, issuer())
      const row = await withSystem(database.db, (db) =>
        db
          .selectFrom('licenses')
          .select('key')
          .where('serial', '=', serial)
          .where('kind', '=', 'online')
          .executeTakeFirst(),
      )
      if (!row?.key) throw new Fault('licenseMissing')
      return { key: row.key }
    },
  })
}
