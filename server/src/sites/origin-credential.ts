/** The origin credential: written sealed, never read back. */
import { originCredential } from '@breakwater/contract/sites/origin-credential.ts'
import type { Database } from '../db/database.ts'
import { type Feature, implement } from '../http/implement.ts'
import type { Services } from '../http/services.ts'
import { changeSite, requireSite } from '../publish/change-site.ts'
import type { SiteSettings } from '../publish/document.ts'
import { writeSiteSecret } from '../secrets/store.ts'

const readSettings = async (db: Database, siteId: number): Promise<SiteSettings> =>
  (await db.selectFrom('sites').select('settings').where('id', '=', siteId).executeTakeFirstOrThrow()).settings

const writeSettings = (db: Database, siteId: number, settings: SiteSettings) =>
  db
    .updateTable('sites')
    .set({ settings: JSON.stringify(settings) })
    .where('id', '=', siteId)
    .execute()

export function originCredentialFeature({ env, vault }: Services): Feature {
  const publisher = { allowOrigins: env.allowOrigins }
  return implement(originCredential, {
    async get({ db, siteId }) {
      const site = await requireSite(db, siteId)
      const { originCredential: set } = await readSettings(db, site.id)
      return { header: set?.header ?? '', isSet: set !== undefined, version: set?.version ?? 0 }
    },

    async set(call) {
      await changeSite(
        call,
        call.siteId,
        publisher,
        { action: 'site.setting.originCredential.update' },
        async (db, site) => {
          const version = await writeSiteSecret(db, vault, site, 'originCredential', Buffer.from(call.body.value))
          await writeSettings(db, site.id, {
            ...(await readSettings(db, site.id)),
            originCredential: { header: call.body.header, version },
          })
        },
      )
    },

    async remove(call) {
      await changeSite(
        call,
        call.siteId,
        publisher,
        { action: 'site.setting.originCredential.remove' },
        async (db, site) => {
          const { originCredential: _, ...rest } = await readSettings(db, site.id)
          await writeSettings(db, site.id, rest)
          await db.deleteFrom('secrets').where('siteId', '=', site.id).where('name', '=', 'originCredential').execute()
        },
      )
    },
  })
}
