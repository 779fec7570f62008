/** Saved → live on n of m nodes, from the nodes' watermarks and exceptions. */
import type { PublishStatus } from '@breakwater/contract/sites/sites.ts'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'

type Row = {
  node: string
  lastSeenAt: Date | null
  nodeEpoch: number
  watermark: number
  sequence: number
  revision: number
  refusedRevision: number | null
  reason: string | null
}

/** Every node of every group that serves the site, with what it reported about the site. */
function readRows(db: Database, siteId: number): Promise<Row[]> {
  return db
    .selectFrom('feedEntries as entry')
    .innerJoin('nodes as node', (join) =>
      join.onRef('node.groupId', '=', 'entry.groupId').on('node.revokedAt', 'is', null),
    )
    .leftJoin('nodeExceptions as exception', (join) =>
      join.onRef('exception.nodeId', '=', 'node.id').onRef('exception.siteId', '=', 'entry.siteId'),
    )
    .select(['node.name as node', 'node.lastSeenAt', 'node.epoch as nodeEpoch', 'node.watermark'])
    .select(['entry.sequence', 'entry.revision'])
    .select(['exception.revision as refusedRevision', 'exception.reason'])
    .where('entry.siteId', '=', siteId)
    .where('entry.artefact', 'is not', null)
    .orderBy('node.name')
    .orderBy('node.id')
    .execute()
}

/** A watermark from before a restore says nothing about sequences assigned since. */
const hasReached = (row: Row, epoch: number): boolean => row.nodeEpoch === epoch && row.watermark >= row.sequence
const hasRefused = (row: Row, epoch: number): boolean =>
  row.reason !== null && (hasReached(row, epoch) || row.refusedRevision === row.revision)

/** Nodes report at least every five seconds. */
const awayMs = 15_000
const isAway = ({ lastSeenAt }: Row): boolean => lastSeenAt === null || Date.now() - lastSeenAt.getTime() > awayMs

/** Where the saved revision of a site is live. Runs as the system; the caller's permission was checked before. */
export async function publishStatus(db: Database, siteId: number): Promise<PublishStatus> {
  const { epoch } = await db.selectFrom('installation').select('epoch').executeTakeFirstOrThrow()
  const site = await db
    .selectFrom('sites')
    .leftJoin('revisions', (join) =>
      join.onRef('revisions.siteId', '=', 'sites.id').onRef('revisions.revision', '=', 'sites.revision'),
    )
    .select(['sites.revision', 'sites.createdAt', 'revisions.createdAt as savedAt'])
    .where('sites.id', '=', siteId)
    .executeTakeFirstOrThrow()
  const rows = await readRows(db, siteId)
  const rollout = await rolloutOf(db, siteId, site.revision)
  const refused = rows.filter((row) => hasRefused(row, epoch))
  const rest = rows.filter((row) => !hasRefused(row, epoch))
  const waiting = rest.filter((row) => !hasReached(row, epoch) || row.revision !== site.revision)
  return {
    revision: site.revision,
    savedAt: (site.savedAt ?? site.createdAt).toISOString(),
    nodes: rows.length,
    live: rest.length - waiting.length,
    waiting: waiting.map((row) => ({
      node: row.node,
      lastSeen: row.lastSeenAt?.toISOString() ?? null,
      isAway: isAway(row),
    })),
    settled: rollout?.state !== 'running' && waiting.every(isAway),
    refused: refused.map(({ node, refusedRevision, reason }) => ({
      node,
      revision: refusedRevision ?? 0,
      reason: reason ?? '',
    })),
    rollout,
  }
}

/** The roll-out that contains this exact revision, or that was rolled back with it. */
async function rolloutOf(db: Database, siteId: number, revision: number): Promise<PublishStatus['rollout']> {
  const { rows } = await sql<{ step: 'canary' | 'tenth' | 'all'; state: string; reason: string; since: Date }>`
    select r.step, r.state, r.reason, coalesce(r.ended_at, r.step_at) as since
    from (
      select rollout_id, revision from rollout_entries where site_id = ${siteId}::int
      union all select rollout_id, revision from returned_sites where site_id = ${siteId}::int) e
    join rollouts r on r.id = e.rollout_id
    where e.revision = ${revision}::int order by r.state desc, r.id desc limit 1`.execute(db)
  const [row] = rows
  if (!row || row.state === 'done') return null
  const state = row.state === 'returned' ? 'returned' : 'running'
  return { step: row.step, state, reason: row.reason, since: row.since.toISOString() }
}
