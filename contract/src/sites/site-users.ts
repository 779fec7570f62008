/** Which sub-accounts may see a site (gaps B-7). */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Paging, pageOf } from '../paging.ts'

const someIds = (max: number) => z.array(z.number().int().positive()).min(1, 'required').max(max, 'itemsExceedLimit')
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
    summary: 'Lists the accounts below one’s own that see a site.',
  }),
  set: endpoint('site.users.set', 'PATCH', '/:tier/site/users', {
    can: 'sites.write',
    audit: 'site.users.set',
    body: Grants,
    summary: 'Gives sub-accounts the sight of sites. With what they may do there: their roles.',
  }),
  remove: endpoint('site.users.remove', 'DELETE', '/:tier/site/users', {
    can: 'sites.write',
    audit: 'site.users.remove',
    body: Grants,
    summary: 'Takes the sight of sites from sub-accounts.',
  }),
  ofAccount: endpoint('site.users.sites', 'GET', '/:tier/account/:userId/sites', {
    can: 'accounts.read',
    query: Paging,
    reply: pageOf(z.object({ siteID: z.number().int(), siteName: z.string() })),
    kind: 'list',
    beyond: true,
    summary: 'Lists the sites that a sub-account was given.',
  }),
}
