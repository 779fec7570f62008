/** Authentication rules: which URLs of a site require authentication, and which group may pass. */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Id, Priority } from '../fields.ts'
import { orderedRuleList, RuleMeta } from '../rule-list.ts'
import { UrlRegex } from '../url-regex-field.ts'
import { AuthType } from './auth-groups.ts'

export const AuthRule = z.object({
  domainIDs: z
    .array(Id)
    .max(1000, 'itemsExceedLimit')
    .default([])
    .describe('Domains of the site; none for all of them, later ones too.'),
  urlRegex: UrlRegex.describe('Matched against the canonical path.'),
  type: AuthType.describe('That of the group.'),
  groupID: Id.describe('Who may pass.'),
  forward: z
    .boolean()
    .default(false)
    .describe('Whether origins get what the visitor showed. Such answers are then treated as meant for one visitor.'),
  priority: Priority.default(100).describe('Lower numbers are asked first: the first rule for a URL decides.'),
  ...RuleMeta.shape,
})
export type AuthRule = z.output<typeof AuthRule>

export const authRules = orderedRuleList('authRules', {
  owner: 'site',
  ids: { one: 'site.auth.rule', many: 'site.auth.rules' },
  paths: { one: 'auth/rule', many: 'auth/rules' },
  item: AuthRule,
  read: 'firewall.read',
  write: 'firewall.write',
  max: 200,
  hasSingularCreate: true,
  noun: 'authentication rule',
})

export const authSetting = {
  exists: endpoint('site.auth.settingExists', 'GET', '/:tier/site/:siteId/auth/settingExists', {
    tiers: ['user', 'client'],
    can: 'firewall.read',
    reply: z.object({ exists: z.boolean() }),
    summary: 'Whether a site has authentication rules.',
  }),
}
