/** The API calls for groups of edge authentication and their entries. */
import {
  type AuthGroup,
  type AuthGroupRow,
  authGroups,
  authGroupsMax,
} from '@breakwater/contract/authentication/auth-groups.ts'
import { authGroupLists, ruleLists } from '@breakwater/contract/index.ts'
import type { RuleList } from '@breakwater/contract/rule-list.ts'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { countOf, onePage } from '../db/paging.ts'
import { Fault, gone } from '../http/fault.ts'
import { type Feature, implement } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { changeSite, requireSite } from '../publish/change-site.ts'
import { ruleListFeature } from '../rules/rule-list.ts'
import { authGroupSecrets, removeAuthGroupSecrets } from './group-secrets.ts'

const ofSite = (db: Database, siteId: number) => db.selectFrom('authGroups').where('siteId', '=', siteId)

const columnsOf = ({ name, memo, keyIn, keyName }: Omit<AuthGroup, 'type'>) => ({
  name,
  memo,
  body: JSON.stringify({ keyIn, keyName }),
})

/** Throws if rules of the site name one of the groups, whether the rules are enabled or not. */
async function requireUnused(db: Database, siteId: number, ids: number[]): Promise<void> {
  const used = await db
    .selectFrom('rules')
    .select('id')
    .where('siteId', '=', siteId)
    .where('kind', '=', ruleLists.authRules.kind)
    .where(sql<number>`(body->>'groupID')::int`, 'in', ids)
    .executeTakeFirst()
  if (used) throw new Fault('authGroupInUse')
}

export function authGroupFeatures(services: Services): Feature[] {
  const { publisher, vault } = services
  const entries = Object.entries(authGroupLists).map(([type, list]) =>
    ruleListFeature(services, list as unknown as RuleList<never, 'authGroup'>, {
      secrets: authGroupSecrets(vault, type as AuthGroup['type']),
    }),
  )
  return [
    implement(authGroups, {
      async list({ db, siteId, query }) {
        const { id: site } = await requireSite(db, siteId)
        const rows = await ofSite(db, site)
          .select(['id', 'name', 'type', 'memo', 'body'])
          .select(sql<number>`(select count(*)::int from rules r where r.auth_group_id = auth_groups.id)`.as('count'))
          .orderBy('id')
          .$call(onePage(query))
          .execute()
        const data = rows.map(({ body, ...row }) => ({ ...row, ...body }) as unknown as AuthGroupRow)
        return { data, total: await countOf(ofSite(db, site)) }
      },

      async meta({ db, siteId, query }) {
        const { id: site } = await requireSite(db, siteId)
        const rows = await ofSite(db, site)
          .select(['id', 'name', 'type'])
          .$if(query.type !== undefined, (on) => on.where('type', '=', query.type!))
          .orderBy('id')
          .execute()
        return rows as AuthGroupRow[]
      },

      async create(call) {
        const { type, ...body } = call.body
        return changeSite(call, call.siteId, publisher, {}, async (db, site) => {
          if ((await countOf(ofSite(db, site.id))) >= authGroupsMax)
            throw new Fault('itemsExceedLimit', { max: authGroupsMax })
          return db
            .insertInto('authGroups')
            .values({ ...columnsOf(body), type, tenantId: site.tenantId, siteId: site.id })
            .returning('id')
            .executeTakeFirstOrThrow()
        })
      },

      async update(call) {
        const { id, ...body } = call.body
        await changeSite(call, call.siteId, publisher, {}, async (db, site) => {
          const row = await db
            .updateTable('authGroups')
            .set({ ...columnsOf(body), updatedAt: sql<Date>`now()` })
            .where('siteId', '=', site.id)
            .where('id', '=', id)
            .returning('id')
            .executeTakeFirst()
          if (!row) throw gone()
        })
      },

      async remove(call) {
        const { ids } = call.body
        await changeSite(call, call.siteId, publisher, {}, async (db, site) => {
          await requireUnused(db, site.id, ids)
          const removed = await db
            .deleteFrom('authGroups')
            .where('siteId', '=', site.id)
            .where('id', 'in', ids)
            .returning('id')
            .execute()
          for (const { id } of removed) await removeAuthGroupSecrets(db, site, id)
        })
      },
    }),
    ...entries,
  ]
}
