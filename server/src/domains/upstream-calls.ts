/** Origins of one domain: listed, added, changed, removed. One of them stays enabled. */
import { domains } from '@breakwater/contract/domains/domains.ts'
import { Fault } from '../http/fault.ts'
import { type Feature, implement } from '../http/implement.ts'
import type { Services } from '../http/services.ts'
import { changeSite, requireSite } from '../publish/change-site.ts'
import { countEnabled, insertUpstreams, upstreamsOf } from './domains.store.ts'
import { requireReachable } from './origins.ts'
import { requireDomain } from './place.ts'

const { upstreams, addUpstreams, removeUpstreams, updateUpstream } = domains

export function upstreamCalls({ env, guard }: Services): Feature {
  const publisher = { allowOrigins: env.allowOrigins }
  return implement(
    { upstreams, addUpstreams, removeUpstreams, updateUpstream },
    {
      async upstreams({ db, siteId, domainId, query }) {
        const site = await requireSite(db, siteId)
        const domain = await requireDomain(db, site.id, domainId)
        const rows = (await upstreamsOf(db, [domain.id])).map(({ domainId: _, ...row }) => row)
        const from = (query.page - 1) * query.pageSize
        return { data: rows.slice(from, from + query.pageSize), total: rows.length }
      },

      async addUpstreams(call) {
        requireReachable(guard, call.body.upstreams, (at) => `upstreams.${at}.ip`)
        await changeSite(call, call.siteId, publisher, { action: 'site.domain.upstreams.create' }, async (db, site) => {
          const domain = await requireDomain(db, site.id, call.domainId)
          const { length } = await upstreamsOf(db, [domain.id])
          if (length + call.body.upstreams.length > 50) throw new Fault('itemsExceedLimit', { max: 50 })
          await insertUpstreams(db, domain, call.body.upstreams)
        })
      },

      async removeUpstreams(call) {
        await changeSite(call, call.siteId, publisher, { action: 'site.domain.upstreams.remove' }, async (db, site) => {
          const domain = await requireDomain(db, site.id, call.domainId)
          await db.deleteFrom('upstreams').where('domainId', '=', domain.id).where('id', 'in', call.body.ids).execute()
          if ((await countEnabled(db, domain.id)) === 0) throw new Fault('noEnabledUpstream')
        })
      },

      async updateUpstream(call) {
        const { id, ...set } = call.body
        requireReachable(guard, [set], () => 'ip')
        await changeSite(call, call.siteId, publisher, { action: 'site.domain.upstream.update' }, async (db, site) => {
          const domain = await requireDomain(db, site.id, call.domainId)
          const row = await db
            .updateTable('upstreams')
            .set(set)
            .where('domainId', '=', domain.id)
            .where('id', '=', id)
            .returning('id')
            .executeTakeFirst()
          if (!row) throw new Fault('permissionDenied')
          if ((await countEnabled(db, domain.id)) === 0) throw new Fault('noEnabledUpstream')
        })
      },
    },
  )
}
