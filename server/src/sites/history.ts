/** A site's history. */
import { history } from '@breakwater/contract/sites/history.ts'
import { asSystem } from '../db/database.ts'
import { fieldFault } from '../http/fault.ts'
import { type Feature, implement } from '../http/implement.ts'
import type { Services } from '../http/services.ts'
import { changeSite, requireSite } from '../publish/change-site.ts'
import { diffDocuments } from '../publish/diff.ts'
import { documentAt } from '../publish/read.ts'
import { restoreDocument } from './restore.ts'

export function historyFeature({ env }: Services): Feature {
  const publisher = { allowOrigins: env.allowOrigins }
  return implement(history, {
    async list({ db, siteId, query }) {
      const site = await requireSite(db, siteId)
      const rows = await db
        .selectFrom('revisions')
        .select(['revision', 'createdAt', 'actor', 'action', 'summary'])
        .where('siteId', '=', site.id)
        .orderBy('revision', 'desc')
        .limit(query.pageSize)
        .offset((query.page - 1) * query.pageSize)
        .execute()
      const { total } = await db
        .selectFrom('revisions')
        .where('siteId', '=', site.id)
        .select((on) => on.fn.countAll<number>().as('total'))
        .executeTakeFirstOrThrow()
      return { data: rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString(), kept: true })), total }
    },

    async diff({ db, siteId, query }) {
      const site = await requireSite(db, siteId)
      const [from, to] = await asSystem(db, async (tx) => [
        await documentAt(tx, site.id, query.from),
        await documentAt(tx, site.id, query.to),
      ])
      if (!from) throw fieldFault('from', 'unknownRevision')
      if (!to) throw fieldFault('to', 'unknownRevision')
      return { ...query, changes: diffDocuments(from, to) }
    },

    async restore(call) {
      const { db, siteId, body } = call
      const site = await requireSite(db, siteId)
      const document = await asSystem(db, (tx) => documentAt(tx, site.id, body.revision))
      if (!document) throw fieldFault('revision', 'unknownRevision')
      const about = {
        action: 'site.history.restore',
        summary: [`#${body.revision}`, body.note].filter((text) => text !== '').join(' '),
      }
      await changeSite(call, site.id, publisher, about, (tx) => restoreDocument(tx, site, document))
      return { revision: site.revision + 1 }
    },
  })
}
