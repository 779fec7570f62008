/** Dashboards: the layout of each account, the default layout, and what needs attention. */
import { dashboards, Widget } from '@breakwater/contract/dashboard/dashboard.ts'
import { type Database, withSystem } from '../db/database.ts'
import { type Caller, type Feature, implement, implementOpen } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import {
  certificatesEnding,
  domainsPending,
  lateSites,
  namedFor,
  nodesAway,
  ruleSetUpdates,
  sitesExpiring,
  sitesUnderAttack,
} from './attention.ts'
import { defaultWidgets } from './default-layout.ts'

const { attention, ...layouts } = dashboards

type Layout = { widgets: Widget[] }

export function dashboardFeature({ database }: Pick<Services, 'database'>): Feature {
  const read = ({ db, caller }: { db: Database; caller: Caller }) => readLayout(db, caller)
  const save = ({ db, caller, body }: { db: Database; caller: Caller; body: Layout }) => saveLayout(db, caller, body)
  return [
    ...implement(layouts, {
      client: read,
      updateClient: save,
      user: read,
      updateUser: save,
      standard: async () => ({ widgets: defaultWidgets }),
    }),
    ...implementOpen(
      { attention },
      {
        async attention({ transact, caller }) {
          const late = await withSystem(database.db, (db) => lateSites(db, caller))
          const data = await transact(async (db) => [
            ...(await sitesUnderAttack(db)),
            ...(await nodesAway(db)),
            ...(await namedFor(db, late)),
            ...(await certificatesEnding(db)),
            ...(await sitesExpiring(db)),
            ...(await domainsPending(db)),
            ...(await ruleSetUpdates(db)),
          ])
          return { data, total: data.length }
        },
      },
    ),
  ]
}

/** The saved layout, or the default one. Widgets of kinds that no longer exist are left out. */
async function readLayout(db: Database, { accountId }: Caller): Promise<Layout> {
  const row = await db.selectFrom('dashboards').select('widgets').where('accountId', '=', accountId).executeTakeFirst()
  if (!row) return { widgets: defaultWidgets }
  const widgets = row.widgets.map((widget) => Widget.safeParse(widget))
  return { widgets: widgets.flatMap(({ success, data }) => (success ? [data] : [])) }
}

async function saveLayout(db: Database, { accountId, tenantId }: Caller, layout: Layout): Promise<void> {
  const widgets = JSON.stringify(layout.widgets)
  await db
    .insertInto('dashboards')
    .values({ accountId, tenantId, widgets })
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet({ widgets, updatedAt: new Date() }))
    .execute()
}
