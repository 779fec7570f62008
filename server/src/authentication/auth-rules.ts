/** Authentication rules: what they name must be the site's, and what nodes get of them. */
import { type AuthRule, authSetting } from '@breakwater/contract/authentication/auth-rules.ts'
import type { EdgeAuthRule } from '@breakwater/contract/edge/auth-rules.ts'
import { ruleLists } from '@breakwater/contract/index.ts'
import { fieldFault } from '../http/fault.ts'
import { type Feature, implement } from '../http/implement.ts'
import { requireSite } from '../publish/change-site.ts'
import type { SavedRule } from '../publish/document.ts'
import { anyOf } from '../publish/gather.ts'
import type { Rendering } from '../publish/rendering.ts'
import type { RuleCheck } from '../rules/rule-check.ts'
import { ruleListPart } from '../rules/rule-list-part.ts'
import { authGroupOf, type SavedAuthGroup } from './auth-groups-part.ts'
import { authGroupRef } from './group-secrets.ts'

/** Refuses rules that name a group or a domain that the site has not (101018), or a group of another type. */
export const requireAuthGroups: RuleCheck = async (db, site, items) => {
  const rules = items as unknown as readonly AuthRule[]
  if (rules.length === 0) return
  const groups = await db.selectFrom('authGroups').select(['id', 'type']).where('siteId', '=', site.id).execute()
  const types = new Map(groups.map(({ id, type }) => [id, type]))
  for (const { groupID, type } of rules) {
    if (!types.has(groupID)) throw fieldFault('groupID', 'notFound', 'permissionDenied')
    if (types.get(groupID) !== type) throw fieldFault('type', 'wrongFormat')
  }
  const named = [...new Set(rules.flatMap(({ domainIDs }) => domainIDs))]
  if (named.length === 0) return
  const domains = await db
    .selectFrom('domains')
    .select('id')
    .where('siteId', '=', site.id)
    .where('id', '=', anyOf(named))
    .execute()
  if (domains.length < named.length) throw fieldFault('domainIDs', 'notFound', 'permissionDenied')
}

/** A rule that names domains holds for none once these are gone. */
const isFor = ({ domainIDs }: AuthRule, domain: number) => domainIDs.length === 0 || domainIDs.includes(domain)

/** A name that browsers show as it is; the group's number where it has other letters. */
const realmOf = (name: string, id: number): string => (/^[\x20-\x7e]+$/.test(name) ? name : `group ${id}`)

/** Whether tokens must make claims that a node of before would not ask for. */
const asksForClaims = ({ entries, jwks }: SavedAuthGroup): boolean =>
  [jwks?.claims, ...entries.map(({ body }) => body.claims as string[] | undefined)].some((claims) => claims?.length)

/** A group that is gone lets nobody pass: nothing of its secret is on a node. */
function authRule({ id, mode, expiresAt, body }: SavedRule, out: Rendering): EdgeAuthRule {
  const { urlRegex, type, groupID, forward } = body as AuthRule
  const group = authGroupOf(out.document, groupID)
  const version = group?.secretVersion ?? 0
  const ref = authGroupRef(groupID, Math.max(1, version))
  if (version > 0) out.needAuthGroup(ref)
  if (group?.hasImported) out.requires.add('importedPasswords')
  if (group && asksForClaims(group)) out.requires.add('tokenClaims')
  return {
    ...{ id, mode, urlRegex, type, group: ref, forward },
    ...(expiresAt && { expiresAt: Math.floor(Date.parse(expiresAt) / 1000) }),
    realm: realmOf(group?.name ?? '', groupID),
    ...(type === 'key' && { place: { in: group?.keyIn ?? 'header', name: group?.keyName ?? 'X-Api-Key' } }),
  }
}

export const authRulesPart = ruleListPart(
  ruleLists.authRules,
  (rules, out) => {
    for (const domain of out.domains) {
      const ofDomain = rules.filter(({ body }) => isFor(body as AuthRule, domain.id))
      if (ofDomain.length === 0) continue
      domain.authRules = out.keepPart({ kind: 'authRules', rules: ofDomain.map((rule) => authRule(rule, out)) })
    }
  },
  'authRules',
  requireAuthGroups,
)

export function authSettingFeature(): Feature {
  return implement(authSetting, {
    async exists({ db, siteId }) {
      const { id } = await requireSite(db, siteId)
      const row = await db
        .selectFrom('rules')
        .select('id')
        .where('siteId', '=', id)
        .where('kind', '=', ruleLists.authRules.kind)
        .executeTakeFirst()
      return { exists: row !== undefined }
    },
  })
}
