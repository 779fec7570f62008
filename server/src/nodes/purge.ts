/** Purges: one task per group that serves the site, and the progress of its nodes. */

import { cache, type Purge } from '@breakwater/contract/delivery/cache-rules.ts'
import type { PurgeTask } from '@breakwater/contract/edge/node-api.ts'
import type { FieldIssue } from '@breakwater/contract/errors.ts'
import { sql } from 'kysely'
import type { z } from 'zod'
import { asSystem, type Database } from '../db/database.ts'
import { Fault, fieldFault, gone } from '../http/fault.ts'
import { type Feature, implement } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { requireSite } from '../publish/change-site.ts'
import { previewHost } from '../publish/host-names.ts'
import { isHostOf, isTag, purgeTarget } from './purge-values.ts'
import { addTask } from './tasks.ts'
import { isOnline } from './zones.ts'

/** Purges that one tenant may request per minute, regardless of its number of sites. */
const purgesPerMinuteMax = 60

export function purgeFeature({ logger }: Pick<Services, 'logger'>): Feature {
  return implement(cache, {
    async clear({ db, siteId, body, audit }) {
      const site = await requireSite(db, siteId)
      const values = await canonicalValues(db, site, body)
      audit.siteId = site.id
      audit.detail = { type: body.type, count: values.length, values: values.slice(0, 20) }
      const task = { kind: 'purge', site: site.id, type: body.type, values } as const
      const taskID = (await asSystem(db, (tx) => orderPurge(tx, site, task)))!
      logger.info({ siteId: site.id, taskID, type: body.type, count: values.length }, 'purge ordered')
      return { taskID }
    },

    async purgeStatus({ db, siteId, taskId }) {
      const site = await requireSite(db, siteId)
      return asSystem(db, (tx) => purgeStatus(tx, site.id, taskId))
    },
  })
}

/** The values that nodes get; throws for the invalid fields. */
async function canonicalValues(db: Database, site: { id: number; label: string }, body: Purge): Promise<string[]> {
  if (body.type === 'all') {
    if (body.urls.length > 0) throw fieldFault('urls', 'notAllowed')
    return []
  }
  if (body.urls.length === 0) throw fieldFault('urls', 'required')
  const domains = await db.selectFrom('domains').select('name').where('siteId', '=', site.id).execute()
  const names = new Set([previewHost(site.label), ...domains.map(({ name }) => name)])
  const issues: FieldIssue[] = []
  const values = body.urls.map((text, i) => {
    const { value, reason } = canonicalValue(body.type, text, names)
    if (reason !== undefined) issues.push({ field: `urls.${i}`, reason })
    return value
  })
  if (issues.length > 0) throw new Fault('parameterError', issues.slice(0, 100))
  return [...new Set(values)]
}

function canonicalValue(
  type: Purge['type'],
  text: string,
  names: ReadonlySet<string>,
): { value: string; reason?: string } {
  if (type === 'all' || type === 'tag') return isTag(text) ? { value: text } : { value: '', reason: 'wrongFormat' }
  const target = purgeTarget(type, text)
  if (!target) return { value: '', reason: 'wrongFormat' }
  return isHostOf(target.host, names) ? { value: target.value } : { value: '', reason: 'notADomainOfThisSite' }
}

/**
 * Adds a task for each group. The id of the first one identifies the purge; the others have the same site and time. An
 * operator's purges do not count towards a customer's limit, and skip sites that no node serves.
 */
export async function orderPurge(
  db: Database,
  site: { id: number; tenantId: number },
  task: z.output<typeof PurgeTask>,
  { isOperators = false } = {},
): Promise<number | undefined> {
  // Counted under a lock, so that fifty concurrent calls are counted too.
  await sql`select pg_advisory_xact_lock(7312003, ${site.tenantId}::int)`.execute(db)
  const { n } = await db
    .selectFrom('tasks')
    .innerJoin('sites', 'sites.id', 'tasks.siteId')
    .where('sites.tenantId', '=', site.tenantId)
    .where('tasks.createdAt', '>', sql<Date>`now() - interval '1 minute'`)
    .where(sql<string>`tasks.body ->> 'kind'`, '=', 'purge')
    .select(sql<number>`count(distinct (tasks.site_id, tasks.created_at))`.as('n'))
    .executeTakeFirstOrThrow()
  if (n >= purgesPerMinuteMax && !isOperators)
    throw new Fault('unknownError', undefined, { status: 429, message: 'too many purges' })
  const groups = await db
    .selectFrom('feedEntries')
    .select('groupId')
    .where('siteId', '=', site.id)
    .where('artefact', 'is not', null)
    .orderBy('groupId')
    .execute()
  // A site that no node serves has nothing cached.
  if (groups.length === 0) {
    if (isOperators) return undefined
    throw new Fault('siteStatusNotAllowed')
  }
  const ids: number[] = []
  for (const { groupId } of groups) ids.push(await addTask(db, groupId, task))
  return ids[0]
}

/** Receipts of a purge, from the nodes that can send one. An offline node purges before it serves again. */
async function purgeStatus(db: Database, siteId: number, taskId: number) {
  const rows = await db
    .selectFrom('tasks as first')
    .innerJoin('tasks as task', (join) =>
      join.onRef('task.siteId', '=', 'first.siteId').onRef('task.createdAt', '=', 'first.createdAt'),
    )
    .leftJoin('nodes as node', (join) =>
      join.onRef('node.groupId', '=', 'task.groupId').on('node.revokedAt', 'is', null),
    )
    .leftJoin('taskReceipts as receipt', (join) =>
      join.onRef('receipt.taskId', '=', 'task.id').onRef('receipt.nodeId', '=', 'node.id'),
    )
    .select(['node.name', 'node.lastSeenAt', 'receipt.ok', 'receipt.detail'])
    .where('first.id', '=', taskId)
    .where('first.siteId', '=', siteId)
    .orderBy('node.id')
    .execute()
  if (rows.length === 0) throw gone()
  const live = rows.filter((row) => row.name !== null && (row.ok !== null || isOnline(row.lastSeenAt)))
  return {
    nodes: live.length,
    away: rows.filter(({ name }) => name !== null).length - live.length,
    done: live.filter(({ ok }) => ok === true).length,
    failed: live.filter(({ ok }) => ok === false).map(({ name, detail }) => ({ node: name!, detail: detail ?? '' })),
  }
}
