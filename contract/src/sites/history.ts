/**
 * A site's history: its revisions, what changed between two of them, and restoring one. A restore is a new, validated
 * change.
 */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { wordOf } from '../enumeration.ts'
import { Id, Memo, MomentText, QueryId } from '../fields.ts'
import { Paging, pageOf } from '../paging.ts'

export const Change = z.object({
  /** `denyRules/17`, `domains/example.com`, `settings` */
  path: z.string(),
  kind: wordOf('ChangeKind', 'What became of a part between two revisions.', ['added', 'removed', 'changed']),
  before: z.unknown(),
  after: z.unknown(),
  part: z.string().describe('The name by which a restore is limited to it: `domains`, `denyRules`, `compression`.'),
  isRestored: z
    .boolean()
    .describe('False for what other sites use too: a restore of the whole site leaves it as it is.'),
  isRestorable: z.boolean().describe('Whether a restore that names the part takes it back.'),
})

/** What one revision changed. */
export const RevisionChanges = z.object({
  total: z.number().int(),
  first: z.array(Change).describe('Five at most.'),
  parts: z.array(z.string()).describe('Of all of them, by the names that a restore takes.'),
})
export type RevisionChanges = z.output<typeof RevisionChanges>

export const Revision = z.object({
  revision: z.number().int(),
  createdAt: MomentText,
  actor: z.string(),
  /** The audit name of the change, for example `site.firewall.l7.blacklist.create`. */
  action: z.string(),
  summary: z.string(),
  /** Whether its content is still stored, so that it can be compared and restored. */
  kept: z.boolean(),
  changes: RevisionChanges.nullable().describe('Null where it is not known, as of changes of many sites at once.'),
})
export type Revision = z.output<typeof Revision>

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
    query: z.strictObject({ from: QueryId, to: QueryId }),
    reply: z.object({ from: z.number().int(), to: z.number().int(), changes: z.array(Change) }),
    beyond: true,
    summary: 'Returns the differences between two revisions.',
  }),
  restore: endpoint('site.history.restore', 'POST', '/:tier/site/:siteId/history/restore', {
    can: 'history.restore',
    body: z.strictObject({
      revision: Id,
      note: Memo.default(''),
      parts: z
        .array(z.string().max(64, 'charactersExceedLimit'))
        .min(1, 'required')
        .max(100, 'itemsExceedLimit')
        .optional()
        .describe('The parts to restore, as the differences name them; left out, all.'),
    }),
    reply: z.object({ revision: z.number().int() }),
    beyond: true,
    summary: 'Restores an earlier revision as a new one.',
  }),
}
