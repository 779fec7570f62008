/** The owners of rules: how a call identifies them, and where their rules are stored. */
import type { RuleOwner } from '@breakwater/contract/rule-list.ts'
import type { Database } from '../db/database.ts'
import { gone } from '../http/fault.ts'
import type { LockedSite } from '../publish/locked-sites.ts'

/** The path parameters that identify the owner of the rules. */
export type OwnerParams = { siteId: number; domainId?: number; groupId?: number }

export type RulesOwner = {
  /** The column of `rules` that holds the owner. */
  column: 'siteId' | 'domainId' | 'authGroupId'
  /** The owner's id. Throws 101018 if the site has no such owner of rules of that kind. */
  idOf(db: Database, site: LockedSite, params: OwnerParams, kind: string): Promise<number>
}

const owners = {
  site: { column: 'siteId', idOf: async (_, site) => site.id },
  domain: {
    column: 'domainId',
    async idOf(db, site, { domainId = 0 }) {
      const row = await db
        .selectFrom('domains')
        .select('id')
        .where('siteId', '=', site.id)
        .where('id', '=', domainId)
        .executeTakeFirst()
      if (!row) throw gone()
      return row.id
    },
  },
  authGroup: {
    column: 'authGroupId',
    async idOf(db, site, { groupId = 0 }, kind) {
      const row = await db
        .selectFrom('authGroups')
        .select(['id', 'type'])
        .where('siteId', '=', site.id)
        .where('id', '=', groupId)
        .executeTakeFirst()
      if (!row || `${row.type}Auths` !== kind) throw gone()
      return row.id
    },
  },
} satisfies Partial<Record<RuleOwner, RulesOwner>>

/**
 * The owners whose rules are stored and published. The contract's other owners are added here with their first list.
 */
export type PublishedOwner = keyof typeof owners

export const rulesOwner = (owner: PublishedOwner): RulesOwner => owners[owner]
