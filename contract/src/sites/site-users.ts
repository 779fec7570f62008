/** Which sub-accounts may see a site. */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Id } from '../fields.ts'
import { Paging, pageOf } from '../paging.ts'

const someIds = (max: number) => z.array(Id).min(1, 'required').max(max, 'itemsExceedLimit')
const Grants = z.strictObject({ siteIDs: someIds(1000), userIDs: someIds(100) })

export const SiteUser = z.object({
  id: z.number().int(),
  name: z.string(),
  email: z.string(),
  account: z.string(),
  granted: z.boolean().describe('Given this site; otherwise it reaches all of them.'),
  isRoot: z.boolean(),
  roles: z.array(z.string()),
})
export type SiteUser = z.output<typeof SiteUser>

export const siteUsers = {
  list: endpoint('site.users.list', 'GET', '/:tier/site/users/:siteId', {
    can: 'accounts.read',
    query: Paging.extend({ granted: z.stringbool().optional().describe('Only those who were given the site.') }),
    reply: pageOf(SiteUser),
    kind: 'list',
    summary: 'Lists the sub-accounts that can see a site.',
  }),
  set: endpoint('site.users.set', 'PATCH', '/:tier/site/users', {
    can: 'sites.write',
    body: Grants,
    summary: 'Grants sub-accounts access to sites. Their roles decide what they may do there.',
  }),
  remove: endpoint('site.users.remove', 'DELETE', '/:tier/site/users', {
    can: 'sites.write',
    body: Grants,
    summary: 'Revokes the access of sub-accounts to sites.',
  }),
  ofAccount: endpoint('site.users.sites', 'GET', '/:tier/account/:userId/sites', {
    can: 'accounts.read',
    query: Paging,
    reply: pageOf(z.object({ siteID: z.number().int(), siteName: z.string() })),
    kind: 'list',
    beyond: true,
    summary: 'Lists the sites granted to a sub-account.',
  }),
}
