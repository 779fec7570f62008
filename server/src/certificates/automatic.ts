/** The automatic certificates of all customers, for their operator. */
import { automaticCertificates } from '@breakwater/contract/certificates/automatic.ts'
import { sql } from 'kysely'
import { containing, countOf, onePage } from '../db/paging.ts'
import { certStatusOf, shownCertificates } from '../domains/certificate-status.ts'
import { type Feature, implement } from '../http/implement.ts'

export function automaticCertificatesFeature(): Feature {
  return implement(automaticCertificates, {
    async list({ db, query }) {
      let rows = db
        .selectFrom('domains')
        .innerJoin('certificateOrders', 'certificateOrders.domainId', 'domains.id')
        .innerJoin('sites', 'sites.id', 'domains.siteId')
        .where('domains.autoSsl', '=', true)
        .where('sites.removedAt', 'is', null)
      if (query.domainName) rows = rows.where('domains.name', 'ilike', containing(query.domainName))
      if (query.siteID !== undefined) rows = rows.where('domains.siteId', '=', query.siteID)
      if (query.status !== undefined) rows = rows.where(certStatusOf, '=', query.status)
      const total = await countOf(rows)
      const found = await rows
        .select(['domains.id', 'domains.name as domainName', 'domains.siteId', 'sites.name as siteName'])
        .select(['certificateOrders.updatedAt', 'certificateOrders.renewAt', 'certificateOrders.detail'])
        .select(certStatusOf.as('status'))
        .orderBy('domains.name')
        .orderBy('domains.id')
        .$call(onePage(query))
        .execute()
      const shown = await shownCertificates(
        db,
        found.map(({ id }) => id),
      )
      const data = found.map(({ siteId, updatedAt, renewAt, ...row }) => ({
        ...row,
        siteID: siteId,
        expired: shown.get(row.id)?.expired ?? '',
        updatedAt: updatedAt.toISOString(),
        renewAt: renewAt.toISOString(),
      }))
      return { data, total }
    },

    async renew({ db, body, audit }) {
      const now = new Date()
      await db
        .updateTable('certificateOrders')
        .set({ nextAt: now, renewAt: now, attempts: 0 })
        .where('domainId', 'in', body.ids)
        .execute()
      await sql`select pg_notify('certificates', '')`.execute(db)
      audit.detail = { ids: body.ids }
    },
  })
}
