/** The groups of edge authentication in a site's document: their names and whom they accept, without any secrets. */
import { AuthType, keyPlaces } from '@breakwater/contract/authentication/auth-groups.ts'
import { z } from 'zod'
import type { SiteDocument } from '../publish/document.ts'
import { anyOf, grouped } from '../publish/gather.ts'
import { bodyOf, type Gather, type SitePart } from '../publish/part.ts'
import { SavedRules, savedRule, savedRuleColumns } from '../rules/rule-list-part.ts'

const Group = z.object({
  name: z.string(),
  type: AuthType,
  memo: z.string(),
  keyIn: z.enum(keyPlaces),
  keyName: z.string(),
  /** The version of the group's secrets; 0 if it has none yet. */
  secretVersion: z.number().int(),
  /** Whether the group accepts passwords whose hashes were imported. */
  hasImported: z.boolean().default(false),
  entries: SavedRules,
  /**
   * Where the group's JWKS comes from, and the claims its tokens must carry. The keys are part of the group's secret.
   */
  jwks: z.object({ url: z.string(), issuer: z.string(), audience: z.string(), claims: z.array(z.string()) }).optional(),
})
export type SavedAuthGroup = z.output<typeof Group>
type Groups = Record<string, SavedAuthGroup>

const gatherGroups: Gather = async (db, siteIds) => {
  const groups = await db
    .selectFrom('authGroups')
    .select(['id', 'siteId', 'name', 'type', 'memo', 'body', 'secretVersion', 'hasImported'])
    .where('siteId', '=', anyOf(siteIds))
    .orderBy('id')
    .execute()
  if (groups.length === 0) return new Map()
  const entries = await db
    .selectFrom('rules')
    .select(savedRuleColumns)
    .select('authGroupId')
    .where('authGroupId', '=', anyOf(groups.map(({ id }) => id)))
    .orderBy('id')
    .execute()
  const jwks = await db
    .selectFrom('authJwks')
    .select(['groupId', 'url', 'issuer', 'audience', 'claims'])
    .where('groupId', '=', anyOf(groups.map(({ id }) => id)))
    .execute()
  const ofJwks = new Map(jwks.map(({ groupId, ...said }) => [groupId, { jwks: said }]))
  const byGroup = grouped(entries, (row) => [row.authGroupId!, savedRule(row)])
  const bySite = new Map<number, { authGroups: Groups }>()
  for (const { id, siteId, name, type, memo, body, secretVersion, hasImported } of groups) {
    const of = bySite.get(siteId) ?? { authGroups: {} }
    bySite.set(siteId, of)
    const said = {
      name,
      type,
      memo,
      ...body,
      secretVersion,
      hasImported,
      entries: byGroup.get(id) ?? [],
      ...ofJwks.get(id),
    }
    of.authGroups[id] = said as SavedAuthGroup
  }
  return bySite
}

/** Auth groups by id. */
export const authGroupsPart: SitePart<Groups> = {
  owner: 'site',
  name: 'authGroups',
  schema: z.record(z.string(), Group),
  gather: gatherGroups,
  empty: {},
  isKeyed: true,
  isShared: true,
  items: (groups) =>
    Object.entries(groups).flatMap(([id, { entries, ...group }]) => [
      [`authGroups/${id}`, group] as const,
      ...entries.map((entry) => [`${group.type}Auths/${entry.id}`, entry] as const),
    ]),
  // The secrets of a group are not versioned with the site: a restore leaves them as they are now.
  async restore() {},
}

/** The group that a rule names; undefined if it was removed. */
export const authGroupOf = (document: SiteDocument, id: number): SavedAuthGroup | undefined =>
  bodyOf(document, authGroupsPart)[id]
