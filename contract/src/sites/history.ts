/** A site's history: its revisions, what changed between two of them, and going back. A restore is a new, validated change. */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Memo, MomentText } from '../fields.ts'
import { Paging, pageOf } from '../paging.ts'

export const Revision = z.object({
  revision: z.number().int(),
  createdAt: MomentText,
  actor: z.string(),
  /** The audit name of the change, for example `site.firewall.l7.blacklist.create`. */
  action: z.string(),
  summary: z.string(),
  /** Whether its content is still kept, so that it can be compared and restored. */
  kept: z.boolean(),
})
export type Revision = z.output<typeof Revision>

export const Change = z.object({
  /** `denyRules/17`, `domains/example.com`, `settings` */
  path: z.string(),
  kind: z.enum(['added', 'removed', 'changed']),
  before: z.unknown(),
  after: z.unknown(),
})

export const history = {
  list: endpoint('site.history.list', 'GET', '/:tier/site/:siteId/history', {
    can: 'history.read',
    query: Paging,
    reply: pageOf(Revision),
    kind: 'list',
    beyond: true,
    summary: 'Lists a site’s revisions, newest first.',
  }),
  diff: endpoint('site.history.diff', 'GET', '/:tier/site/:siteId/history/diff', {
    can: 'history.read',
    query: z.strictObject({ from: z.coerce.number().int(), to: z.coerce.number().int() }),
    reply: z.object({ from: z.number().int(), to: z.number().int(), changes: z.array(Change) }),
    beyond: true,
    summary: 'What differs between two revisions.',
  }),
  restore: endpoint('site.history.restore', 'POST', '/:tier/site/:siteId/history/restore', {
    can: 'history.restore',
    audit: 'site.history.restore',
    body: z.strictObject({ revision: z.number().int().positive(), note: Memo.default('') }),
    reply: z.object({ revision: z.number().int() }),
    beyond: true,
    summary: 'Makes an earlier revision the newest one.',
  }),
}
