/** The vendor's calls for offline licences, which are carried to the installation by hand. */
import { licenses } from '@breakwater/contract/licenses/licenses.ts'
import { type Feature, implement } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import {
  limitsOf,
  listLicenses,
  lockLicenses,
  removeLicenses,
  requireLicense,
  requireOperator,
} from './licenses.store.ts'
import { signRow } from './licenses.ts'
import { openIssuer } from './signing.ts'

const { offlineList, offlineIssue, offlineUpdate, offlineRemove, offlineUnregister } = licenses
const calls = { offlineList, offlineIssue, offlineUpdate, offlineRemove, offlineUnregister }

/** When a licence was bound to its installation: unchanged if the installation is the same. */
const registered = (
  installation: string | null,
  before?: { installation: string | null; registeredAt: Date | null },
) => (installation === null ? null : before?.installation === installation ? before.registeredAt : new Date())

export function offlineLicensesFeature({ env }: Services): Feature {
  return implement(calls, {
    offlineList: async ({ db, query }) => {
      const { data, total } = await listLicenses(db, 'offline', query)
      return { data: data.map((row) => ({ installation: null, registeredAt: null, ...row })), total }
    },

    async offlineIssue({ db, caller, body, audit }) {
      await requireOperator(db, body.userID)
      const row = await db
        .insertInto('licenses')
        .values({
          tenantId: caller.tenantId,
          kind: 'offline',
          userId: body.userID,
          name: body.name,
          type: body.type,
          limits: JSON.stringify(limitsOf(body)),
          expiresAt: new Date(body.expiredAt),
          installation: body.installation,
          registeredAt: registered(body.installation),
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      const key = await signRow(db, openIssuer(env.dataFolder), row)
      await db.updateTable('licenses').set({ key, issuedAt: new Date() }).where('id', '=', row.id).execute()
      audit.detail = { id: row.id, after: body }
      return { id: row.id, key }
    },

    async offlineUpdate({ db, body, audit }) {
      const before = await requireLicense(db, body.id, 'offline')
      const installation = body.installation === undefined ? before.installation : body.installation
      const after = {
        name: body.name,
        type: body.type,
        limits: limitsOf(body),
        expiresAt: new Date(body.expiredAt),
        installation,
        registeredAt: registered(installation, before),
      }
      const key = await signRow(db, openIssuer(env.dataFolder), { ...before, ...after })
      await db
        .updateTable('licenses')
        .set({ ...after, limits: JSON.stringify(after.limits), key, issuedAt: new Date() })
        .where('id', '=', body.id)
        .execute()
      const { name, type, limits, expiresAt } = before
      audit.detail = { id: body.id, before: { name, type, limits, expiresAt }, after: body }
      return { key }
    },

    async offlineRemove({ db, body, audit }) {
      audit.detail = { ids: await removeLicenses(db, await lockLicenses(db, body.ids, 'offline')) }
    },

    async offlineUnregister({ db, body, audit }) {
      const { installation } = await requireLicense(db, body.id, 'offline')
      audit.detail = { id: body.id, before: { installation } }
      await db
        .updateTable('licenses')
        .set({ installation: null, registeredAt: null })
        .where('id', '=', body.id)
        .execute()
    },
  })
}
