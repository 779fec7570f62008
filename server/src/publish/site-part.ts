/** The part of a document for the site itself. */
import { expiryGraceDays, siteStatuses } from '@breakwater/contract/sites/operator-sites.ts'
import { z } from 'zod'
import type { SiteBody } from './document.ts'
import { anyOf } from './gather.ts'
import type { Gather, SitePart } from './part.ts'

const Body = z.object({
  id: z.number(),
  label: z.string(),
  status: z.number(),
  name: z.string(),
  tags: z.array(z.string()),
  expiredAt: z.string().nullable().default(null),
  isRemoved: z.boolean().default(false),
})

/** Rows of sites, and each settings group that was saved. */
export const gatherSites: Gather = async (db, siteIds) => {
  const rows = await db
    .selectFrom('sites')
    .select(['id', 'label', 'status', 'name', 'tags', 'settings', 'expiredAt', 'removedAt'])
    .where('id', '=', anyOf(siteIds))
    .execute()
  return new Map(
    rows.map(({ settings, expiredAt, removedAt, ...row }) => {
      const site = { ...row, expiredAt: expiredAt?.toISOString() ?? null, isRemoved: removedAt !== null }
      const groups = Object.entries(settings).map(([name, value]) => [`settings/${name}`, value as object] as const)
      return [site.id, { site, ...Object.fromEntries(groups) }]
    }),
  )
}

/** The time from which nodes answer that the site is closed, in epoch seconds; undefined if it stays open. */
function closedFrom({ status, expiredAt }: SiteBody): { from: number } | undefined {
  if (status !== siteStatuses.normal) return { from: 0 }
  if (expiredAt === null) return undefined
  return { from: Math.floor(Date.parse(expiredAt) / 1000) + expiryGraceDays * 86_400 }
}

export const sitePart: SitePart<SiteBody> = {
  owner: 'site',
  name: 'site',
  schema: Body,
  gather: gatherSites,
  empty: { id: 0, label: '', status: 0, name: '', tags: [], expiredAt: null, isRemoved: false },
  items: ({ name, tags, status, expiredAt }) => [
    ['site', { name, tags, status, ...(expiredAt !== null && { expiredAt }) }],
  ],
  render: (body, out) => {
    const closed = closedFrom(body)
    out.set('settings', { trustedProxies: [], ...(closed && { closed }) })
  },
  requires: (body) => (closedFrom(body) ? ['siteStatus'] : []),
  // Status and expiry belong to the operator, and the label is what customers' DNS points at.
  async restore(db, site, { name, tags }) {
    await db.updateTable('sites').set({ name, tags }).where('id', '=', site.id).execute()
  },
}
