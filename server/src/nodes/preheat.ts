/** Preheats: one task per URL and group, and the progress of the nodes. */

import { type PreheatedUrl, preheat, preheatFailuresMax, zonePreheat } from '@breakwater/contract/delivery/preheat.ts'
import type { TaskBody } from '@breakwater/contract/edge/node-api.ts'
import type { FieldIssue } from '@breakwater/contract/errors.ts'
import { offlineAfterMs } from '@breakwater/contract/nodes/nodes.ts'
import { sql } from 'kysely'
import { asSystem, type Database } from '../db/database.ts'
import { countOf, onePage } from '../db/paging.ts'
import { Fault, gone } from '../http/fault.ts'
import { type Feature, implement } from '../http/implement.ts'
import { requireZone } from '../node-configuration/require-zone.ts'
import type { Services } from '../process/services.ts'
import { requireSite } from '../publish/change-site.ts'
import { previewHost } from '../publish/host-names.ts'
import { type PreheatTarget, preheatTarget, wildcardsOver } from './preheat-values.ts'
import { isHostOf } from './purge-values.ts'
import { addTasks } from './tasks.ts'
import { isOnline } from './zones.ts'

/** Preheats that one tenant may request per minute, regardless of its number of sites. */
const preheatsPerMinuteMax = 10
const preheatLock = 7_312_004

type Fetch = { groupId: number; site: number; url: string }

export function preheatFeature({ logger }: Pick<Services, 'logger'>): Feature {
  return implement(preheat, {
    async create({ db, siteId, body, audit }) {
      const site = await requireSite(db, siteId)
      const domains = await db.selectFrom('domains').select('name').where('siteId', '=', site.id).execute()
      const names = new Set([previewHost(site.label), ...domains.map(({ name }) => name)])
      const targets = readTargets(body.urls, ({ host }) => (isHostOf(host, names) ? site.id : 'notADomainOfThisSite'))
      audit.siteId = site.id
      audit.detail = { count: targets.length, values: targets.slice(0, 20).map(({ url }) => url) }
      const taskID = await asSystem(db, async (tx) => {
        await countPreheats(tx, site.tenantId)
        const groups = await groupsThatServe(tx, [site.id])
        if (groups.length === 0) throw new Fault('siteStatusNotAllowed')
        return order(
          tx,
          groups.flatMap(({ groupId }) => targets.map(({ url }) => ({ groupId, site: site.id, url }))),
        )
      })
      logger.info({ siteId: site.id, taskID, count: targets.length }, 'preheat ordered')
      return { taskID }
    },

    async status({ db, siteId, taskId }) {
      const site = await requireSite(db, siteId)
      return asSystem(db, (tx) => preheatStatus(tx, site.id, taskId))
    },
  })
}

export function zonePreheatFeature({ logger }: Pick<Services, 'logger'>): Feature {
  return implement(zonePreheat, {
    async list({ db, zoneId, query }) {
      await requireZone(db, zoneId)
      const tasks = db
        .selectFrom('tasks')
        .innerJoin('groups', 'groups.id', 'tasks.groupId')
        .where('groups.zoneId', '=', zoneId)
        .where(sql<string>`tasks.body ->> 'kind'`, '=', 'preheat')
      const rows = await tasks
        .select(['tasks.id', 'tasks.createdAt', sql<string>`tasks.body ->> 'url'`.as('url')])
        .orderBy('tasks.id', 'desc')
        .$call(onePage(query))
        .execute()
      const progress = await asSystem(db, (tx) =>
        progressOf(
          tx,
          rows.map(({ id }) => id),
        ),
      )
      const data = rows.map(({ createdAt, ...row }) => ({
        ...row,
        createdAt: createdAt.toISOString(),
        ...progress(row.id),
      }))
      return { data, total: await countOf(tasks) }
    },

    async create({ db, zoneId, body, audit }) {
      const zone = await requireZone(db, zoneId)
      const sites = await sitesByHost(db, body.urls)
      const serving = await asSystem(db, (tx) => groupsThatServe(tx, [...new Set(sites.values())], zoneId))
      const served = new Set(serving.map(({ siteId }) => siteId))
      const targets = readTargets(body.urls, ({ host }) => {
        const siteId = siteOf(host, sites)
        return siteId !== undefined && served.has(siteId) ? siteId : 'notADomainOfThisZone'
      })
      audit.detail = { zone: zone.name, count: targets.length, values: targets.slice(0, 20).map(({ url }) => url) }
      const fetches = serving.flatMap(({ groupId, siteId }) =>
        targets.filter(({ site }) => site === siteId).map(({ url }) => ({ groupId, site: siteId, url })),
      )
      await asSystem(db, (tx) => order(tx, fetches))
      logger.info({ zoneId, count: targets.length }, 'preheat of a zone ordered')
    },
  })
}

/** The URLs in the form that nodes get, without duplicates, with their sites; throws for the invalid fields. */
function readTargets(
  urls: readonly string[],
  siteOrReason: (target: PreheatTarget) => number | string,
): { url: string; site: number }[] {
  const issues: FieldIssue[] = []
  const sites = new Map<string, number>()
  urls.forEach((text, i) => {
    const target = preheatTarget(text)
    const found = target ? siteOrReason(target) : 'wrongFormat'
    if (typeof found === 'string') issues.push({ field: `urls.${i}`, reason: found })
    else sites.set(target!.url, found)
  })
  if (issues.length > 0) throw new Fault('parameterError', issues.slice(0, 100))
  return [...sites].map(([url, site]) => ({ url, site }))
}

/** The sites of the active domains that the hosts of these URLs may belong to, by the domain's name. */
async function sitesByHost(db: Database, urls: readonly string[]): Promise<Map<string, number>> {
  const hosts = new Set(urls.flatMap((text) => preheatTarget(text)?.host ?? []))
  const names = [...new Set([...hosts].flatMap((host) => [host, ...wildcardsOver(host)]))]
  if (names.length === 0) return new Map()
  const rows = await db
    .selectFrom('domains')
    .select(['name', 'siteId'])
    .where('name', '=', sql<string>`any(${names}::text[])`)
    .where('status', '=', 1)
    .where('ownership', '<>', 'pending')
    .execute()
  return new Map(rows.map(({ name, siteId }) => [name, siteId]))
}

/** The most specific name decides, as on the edge. */
function siteOf(host: string, sites: ReadonlyMap<string, number>): number | undefined {
  const name = [host, ...wildcardsOver(host)].find((one) => sites.has(one))
  return name === undefined ? undefined : sites.get(name)
}

export async function groupsThatServe(
  db: Database,
  siteIds: readonly number[],
  zoneId?: number,
): Promise<{ groupId: number; siteId: number }[]> {
  if (siteIds.length === 0) return []
  let rows = db
    .selectFrom('feedEntries')
    .innerJoin('groups', 'groups.id', 'feedEntries.groupId')
    .where('feedEntries.siteId', 'in', [...siteIds])
    .where('feedEntries.artefact', 'is not', null)
  if (zoneId !== undefined) rows = rows.where('groups.zoneId', '=', zoneId)
  return rows.select(['feedEntries.groupId', 'feedEntries.siteId']).orderBy('feedEntries.groupId').execute()
}

/** Counted under a lock, so that fifty concurrent calls are counted too. */
export async function countPreheats(db: Database, tenantId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(${preheatLock}, ${tenantId}::int)`.execute(db)
  const { n } = await db
    .selectFrom('tasks')
    .innerJoin('sites', 'sites.id', 'tasks.siteId')
    .where('sites.tenantId', '=', tenantId)
    .where('tasks.createdAt', '>', sql<Date>`now() - interval '1 minute'`)
    .where(sql<string>`tasks.body ->> 'kind'`, '=', 'preheat')
    .select(sql<number>`count(distinct (tasks.site_id, tasks.created_at))`.as('n'))
    .executeTakeFirstOrThrow()
  if (n >= preheatsPerMinuteMax)
    throw new Fault('unknownError', undefined, { status: 429, message: 'too many preheats' })
}

/**
 * Adds the tasks, group by group. The id of the first one identifies the preheat; the others have the same site and
 * time.
 */
export async function order(db: Database, fetches: readonly Fetch[]): Promise<number> {
  const groups = Map.groupBy(fetches, ({ groupId }) => groupId)
  const ids: number[] = []
  for (const groupId of [...groups.keys()].sort((a, b) => a - b)) {
    const bodies = groups.get(groupId)!.map(({ site, url }): TaskBody => ({ kind: 'preheat', site, url }))
    ids.push(await addTasks(db, groupId, bodies))
  }
  return Math.min(...ids)
}

/** Tasks with the nodes that can send a receipt, or have sent one. */
const fetchesAtNodes = (db: Database) =>
  db
    .selectFrom('tasks as task')
    .innerJoin('nodes as node', (join) =>
      join.onRef('node.groupId', '=', 'task.groupId').on('node.revokedAt', 'is', null),
    )
    .leftJoin('taskReceipts as receipt', (join) =>
      join.onRef('receipt.taskId', '=', 'task.id').onRef('receipt.nodeId', '=', 'node.id'),
    )

async function preheatStatus(db: Database, siteId: number, taskId: number) {
  const first = await db
    .selectFrom('tasks')
    .select('createdAt')
    .where('id', '=', taskId)
    .where('siteId', '=', siteId)
    .where(sql<string>`body ->> 'kind'`, '=', 'preheat')
    .executeTakeFirst()
  if (!first) throw gone()
  const fetches = fetchesAtNodes(db)
    .where('task.siteId', '=', siteId)
    .where('task.createdAt', '=', sql<Date>`(select created_at from tasks where id = ${taskId})`)
  const online = sql<boolean>`node.last_seen_at > now() - make_interval(secs => ${offlineAfterMs / 1000})`
  const counts = await fetches
    .where((on) => on.or([on('receipt.ok', 'is not', null), online]))
    .select([
      sql<number>`count(*)`.as('total'),
      sql<number>`count(*) filter (where receipt.ok)`.as('done'),
      sql<number>`count(*) filter (where not receipt.ok)`.as('failed'),
      sql<number>`count(distinct node.id)`.as('nodes'),
    ])
    .executeTakeFirstOrThrow()
  const failures = await fetches
    .where('receipt.ok', '=', false)
    .select([sql<string>`task.body ->> 'url'`.as('url'), 'node.name as node', 'receipt.detail'])
    .orderBy('task.id')
    .orderBy('node.id')
    .limit(preheatFailuresMax)
    .execute()
  return { ...counts, failures: failures.map((row) => ({ ...row, detail: row.detail ?? '' })) }
}

type Progress = Pick<PreheatedUrl, 'status' | 'nodes' | 'done' | 'failed'>

/** The progress of each of these tasks. */
async function progressOf(db: Database, taskIds: readonly number[]): Promise<(id: number) => Progress> {
  const rows =
    taskIds.length === 0
      ? []
      : await fetchesAtNodes(db)
          .where('task.id', 'in', [...taskIds])
          .select(['task.id', 'node.name', 'node.lastSeenAt', 'receipt.ok', 'receipt.detail'])
          .orderBy('node.id')
          .execute()
  const live = Map.groupBy(
    rows.filter((row) => row.ok !== null || isOnline(row.lastSeenAt)),
    ({ id }) => id,
  )
  return (id) => {
    const nodes = live.get(id) ?? []
    const done = nodes.filter(({ ok }) => ok === true).length
    const failed = nodes
      .filter(({ ok }) => ok === false)
      .map(({ name, detail }) => ({ node: name, detail: detail ?? '' }))
    const isOver = nodes.length > 0 && done + failed.length === nodes.length
    return { nodes: nodes.length, done, failed, status: !isOver ? 'running' : failed.length > 0 ? 'failed' : 'done' }
  }
}
