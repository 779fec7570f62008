/** Origins of one domain: list, add, update, remove. At least one of them stays enabled. */
import { domains } from '@breakwater/contract/domains/domains.ts'
import { requireUnchanged } from '../http/based-on.ts'
import { Fault, gone } from '../http/fault.ts'
import { type Feature, implement } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { changeSite, requireSite } from '../publish/change-site.ts'
import { requireDomain } from './dns-target.ts'
import { countEnabled, insertUpstreams, upstreamsOf } from './domains.store.ts'
import { originStatesOf } from './origin-states.ts'
import { requireReachable } from './origins.ts'
import { requireNotOurs } from './own-origins.ts'

const { upstreams, originEvents, addUpstreams, removeUpstreams, updateUpstream } = domains

export function upstreamCalls({ env, guard, publisher }: Services): Feature {
  return implement(
    { upstreams, originEvents, addUpstreams, removeUpstreams, updateUpstream },
    {
      async upstreams({ db, siteId, domainId, query }) {
        const site = await requireSite(db, siteId)
        const domain = await requireDomain(db, site.id, domainId)
        const rows = await upstreamsOf(db, [domain.id])
        const from = (query.page - 1) * query.pageSize
        const shown = rows.slice(from, from + query.pageSize)
        const ids = shown.map(({ id }) => id)
        const states = await originStatesOf(db, site.id, ids)
        const health = (id: number) =>
          (states.get(id) ?? []).map(({ node, state, reason, since }) => ({
            ...{ node, state, reason },
            since: since === 0 ? null : new Date(since * 1000).toISOString(),
          }))
        return {
          data: shown.map(({ domainId: _, ...row }) => ({ ...row, health: health(row.id) })),
          total: rows.length,
        }
      },

      async originEvents({ db, siteId, domainId, query }) {
        const site = await requireSite(db, siteId)
        const domain = await requireDomain(db, site.id, domainId)
        const events = db.selectFrom('originEvents').where('domainId', '=', domain.id)
        const { total } = await events.select((on) => on.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
        const rows = await events
          .select(['id', 'origin', 'node', 'state', 'reason', 'createdAt'])
          .orderBy('id', 'desc')
          .limit(query.pageSize)
          .offset((query.page - 1) * query.pageSize)
          .execute()
        return { data: rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })), total: Number(total) }
      },

      async addUpstreams(call) {
        requireReachable(guard, call.body.upstreams, (at) => `upstreams.${at}.ip`, call.caller.tier)
        return changeSite(call, call.siteId, publisher, {}, async (db, site) => {
          const domain = await requireDomain(db, site.id, call.domainId)
          await requireNotOurs(db, env, call.body.upstreams, (at) => `upstreams.${at}.ip`)
          const { length } = await upstreamsOf(db, [domain.id])
          if (length + call.body.upstreams.length > 50) throw new Fault('itemsExceedLimit', { max: 50 })
          return { ids: await insertUpstreams(db, domain, call.body.upstreams) }
        })
      },

      async removeUpstreams(call) {
        await changeSite(call, call.siteId, publisher, {}, async (db, site) => {
          const domain = await requireDomain(db, site.id, call.domainId)
          await db.deleteFrom('upstreams').where('domainId', '=', domain.id).where('id', 'in', call.body.ids).execute()
          if ((await countEnabled(db, domain.id)) === 0) throw new Fault('noEnabledUpstream')
        })
      },

      async updateUpstream(call) {
        const { id, basedOn, ...set } = call.body
        requireReachable(guard, [set], () => 'ip', call.caller.tier)
        await changeSite(call, call.siteId, publisher, {}, async (db, site) => {
          const domain = await requireDomain(db, site.id, call.domainId)
          await requireNotOurs(db, env, [set], () => 'ip')
          if (basedOn) {
            const now = (await upstreamsOf(db, [domain.id])).find((one) => one.id === id)
            if (!now) throw gone()
            requireUnchanged(basedOn, now)
          }
          const row = await db
            .updateTable('upstreams')
            .set(set)
            .where('domainId', '=', domain.id)
            .where('id', '=', id)
            .returning('id')
            .executeTakeFirst()
          if (!row) throw gone()
          if ((await countEnabled(db, domain.id)) === 0) throw new Fault('noEnabledUpstream')
        })
      },
    },
  )
}
