/** Tags of sites. */
import { siteTags } from '@breakwater/contract/sites/site-tags.ts'
import { sql } from 'kysely'
import { type Feature, implement } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { changeSite } from '../publish/change-site.ts'
import { changeSites } from '../publish/change-sites.ts'
import { anyOf } from '../publish/gather.ts'

export function siteTagsFeature({ publisher }: Pick<Services, 'publisher'>): Feature {
  return implement(siteTags, {
    async list({ db }) {
      // One spelling of each: the most frequent one.
      const { rows } = await sql<{ tag: string }>`
        select distinct on (lower(tag)) tag from (
          select tag, count(*) as n from sites, unnest(tags) as tag where removed_at is null group by tag) t
        order by lower(tag), n desc, tag`.execute(db)
      return { data: rows, total: rows.length }
    },

    async update(call) {
      const { siteIDs, tags } = call.body
      await changeSites(call, siteIDs, publisher, { summary: tags.join(' ').slice(0, 200) }, async (db, sites) => {
        const ids = sites.map(({ id }) => id)
        await db.updateTable('sites').set({ tags }).where('id', '=', anyOf(ids)).execute()
        call.audit.detail = { tags }
      })
    },

    async set(call) {
      const { tags } = call.body
      await changeSite(call, call.siteId, publisher, {}, async (db, site) => {
        await db.updateTable('sites').set({ tags }).where('id', '=', site.id).execute()
      })
    },
  })
}
