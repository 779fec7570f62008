/** A site's history. */

import { history } from '@breakwater/contract/sites/history.ts'
import { asSystem } from '../db/database.ts'
import { countOf, onePage } from '../db/paging.ts'
import { fieldFault } from '../http/fault.ts'
import { type Feature, implement } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { publishMany } from '../publish/change-many.ts'
import { changeSite, requireSite } from '../publish/change-site.ts'
import { lockSites } from '../publish/locked-sites.ts'
import { documentAt } from '../publish/read.ts'
import { lockShared, restorableChanges, restoreDocument } from '../publish/restore.ts'

export function historyFeature({ publisher }: Services): Feature {
  return implement(history, {
    async list({ db, siteId, query }) {
      const site = await requireSite(db, siteId)
      const rows = await db
        .selectFrom('revisions')
        .select(['revision', 'createdAt', 'actor', 'action', 'summary', 'changes'])
        .where('siteId', '=', site.id)
        .orderBy('revision', 'desc')
        .$call(onePage(query))
        .execute()
      const total = await countOf(db.selectFrom('revisions').where('siteId', '=', site.id))
      return { data: rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString(), kept: true })), total }
    },

    async diff({ db, siteId, query }) {
      const site = await requireSite(db, siteId)
      const [from, to] = await asSystem(db, async (tx) => [
        await documentAt(tx, publisher.parts, site.id, query.from),
        await documentAt(tx, publisher.parts, site.id, query.to),
      ])
      if (!from) throw fieldFault('from', 'unknownRevision')
      if (!to) throw fieldFault('to', 'unknownRevision')
      return { ...query, changes: restorableChanges(publisher.parts, from, to) }
    },

    async restore(call) {
      const { db, siteId, body } = call
      const site = await requireSite(db, siteId)
      const document = await asSystem(db, (tx) => documentAt(tx, publisher.parts, site.id, body.revision))
      if (!document) throw fieldFault('revision', 'unknownRevision')
      const about = {
        summary: [`#${body.revision}`, body.note].filter((text) => text !== '').join(' '),
      }
      const shared = await lockShared(db, publisher.parts, site, document, body.parts)
      const others = (await lockSites(db, [site.id, ...shared])).filter(({ id }) => id !== site.id)
      await changeSite(call, site.id, publisher, about, (tx) =>
        restoreDocument(tx, publisher.parts, site, document, body.parts),
      )
      const { accountName: actor } = call.caller
      await publishMany(db, others, publisher, { actor, action: history.restore.audit!, summary: site.name })
      return { revision: site.revision + 1 }
    },
  })
}
