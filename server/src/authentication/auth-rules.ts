/** Authentication rules: validation of what they reference, and what nodes get of them. */
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

/** Throws 101018 if a rule names a group or domain that the site does not have; rejects a group of another type. */
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

/** A rule that names domains applies to none once these are removed. */
const isFor = ({ domainIDs }: AuthRule, domain: number) => domainIDs.length === 0 || domainIDs.includes(domain)

/** The group's name if it is printable ASCII, so that browsers show it; otherwise its number. */
const realmOf = (name: string, id: number): string => (/^[\x20-\x7e]+$/.test(name) ? name : `group ${id}`)

/** Whether tokens must carry claims, which older nodes would not check. */
const asksForClaims = ({ entries, jwks }: SavedAuthGroup): boolean =>
  [jwks?.claims, ...entries.map(({ body }) => body.claims as string[] | undefined)].some((claims) => claims?.length)

/** A removed group lets nobody pass: nodes have no secrets for it. */
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
