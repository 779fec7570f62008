/** Named views of lists, saved per account. */
import { SavedView, savedViews } from '@breakwater/contract/account/views.ts'
import { type Feature, implement } from '../http/implement.ts'

export function savedViewsFeature(): Feature {
  return implement(savedViews, {
    /** Skips views that an older version saved and this one cannot parse. */
    async list({ db, caller, query }) {
      const row = await db
        .selectFrom('savedViews')
        .select('views')
        .where('accountId', '=', caller.accountId)
        .where('list', '=', query.list)
        .executeTakeFirst()
      const views = (row?.views ?? []).map((view) => SavedView.safeParse(view))
      return { views: views.flatMap(({ success, data }) => (success ? [data] : [])) }
    },

    async update({ db, caller: { accountId, tenantId }, body, audit }) {
      const views = JSON.stringify(body.views)
      await db
        .insertInto('savedViews')
        .values({ accountId, tenantId, list: body.list, views })
        .onConflict((conflict) => conflict.columns(['accountId', 'list']).doUpdateSet({ views, updatedAt: new Date() }))
        .execute()
      audit.detail = { name: body.list, values: body.views.map(({ name }) => name) }
    },
  })
}
