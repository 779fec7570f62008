/**
 * Advances roll-outs: from the first node to a tenth to all, or rolls them back if a node is worse off. Called every
 * second while one is running.
 */
import type { NodeHealth } from '@breakwater/contract/edge/node-api.ts'
import { configurationSite } from '@breakwater/contract/edge/node-configuration.ts'
import { offlineAfterMs } from '@breakwater/contract/nodes/nodes.ts'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { type Database, withSystem } from '../db/database.ts'
import type { Baseline } from '../db/rollout-tables.ts'
import { noteBaseline } from '../publish/change-many.ts'
import { wakeGroup } from '../publish/feed.ts'
import { judge } from './judge.ts'

/**
 * How long a step is observed once all of its nodes have it active, how long they may take to apply it, and how long a
 * node that has applied it may take to compile the prefilters that it needs, in ms.
 */
export type Pace = { canaryMs: number; tenthMs: number; appliedMs: number; preparedMs: number }
export const pace: Pace = { canaryMs: 20_000, tenthMs: 10_000, appliedMs: 30_000, preparedMs: 20 * 60_000 }

type Rollout = {
  id: number
  groupId: number
  step: 'canary' | 'tenth' | 'all'
  nodes: number[]
  tenth: number[]
  sequence: number
  baseline: Baseline
  stepMs: number
  /** Time since all of its nodes have it active; null until they do. */
  readyMs: number | null
}

/**
 * Checks every running roll-out, and returns whether there are any. Several processes may call it: each roll-out is
 * checked by one at a time.
 */
export async function advanceRollouts(
  database: Parameters<typeof withSystem>[0],
  logger: Logger,
  at: Pace = pace,
): Promise<boolean> {
  return withSystem(database, async (db) => {
    const { rows } = await sql<Rollout>`
      select id, group_id, step, nodes, tenth, sequence, baseline,
        extract(epoch from clock_timestamp() - step_at) * 1000 as step_ms,
        extract(epoch from clock_timestamp() - ready_at) * 1000 as ready_ms
      from rollouts where state = 'running' order by id for update skip locked`.execute(db)
    for (const rollout of rows) await look(db, rollout, logger, at)
    if (rows.length > 0) return true
    // Another process may be checking one just now, and die before it is over.
    return (
      (await db.selectFrom('rollouts').select('id').where('state', '=', 'running').executeTakeFirst()) !== undefined
    )
  })
}

async function look(db: Database, rollout: Rollout, logger: Logger, at: Pace): Promise<void> {
  const { reason, reached, isAtWork } = await consider(db, rollout)
  const about = { rollout: rollout.id, group: rollout.groupId, step: rollout.step }
  if (reason !== undefined) {
    logger.warn({ ...about, reason }, 'roll-out returns')
    return takeBack(db, rollout, reason)
  }
  if (!reached) {
    if (rollout.stepMs <= at.appliedMs) return
    return takeBack(db, rollout, `not applied within ${Math.round(at.appliedMs / 1000)} s`)
  }
  if (!isAtWork) {
    if (rollout.stepMs <= at.preparedMs) return
    return takeBack(db, rollout, `not at work within ${Math.round(at.preparedMs / 1000)} s`)
  }
  if (rollout.readyMs === null) return noteReady(db, rollout)
  if (rollout.readyMs < (rollout.step === 'canary' ? at.canaryMs : at.tenthMs)) return
  const wider = rollout.step === 'canary' && rollout.tenth.length > rollout.nodes.length
  logger.info({ ...about, to: wider ? 'tenth' : 'all' }, 'roll-out goes on')
  return wider ? widen(db, rollout) : finish(db, rollout)
}

/**
 * Any reason against a step, whether all of its nodes have it, and whether it is active there: a zone's rule sets wait
 * for their prefilters. Exceptions are few; entries are as many as its sites, for each of its nodes.
 */
async function consider(
  db: Database,
  rollout: Rollout,
): Promise<{ reason?: string; reached: boolean; isAtWork: boolean }> {
  const { rows } = await sql<{
    id: number
    name: string
    watermark: number
    current: boolean
    awayMs: number
    health: NodeHealth | null
    refused: number
    isConfiguration: boolean | null
    why: string | null
    configuration: number | null
  }>`
    select n.id, n.name, n.watermark, n.epoch = i.epoch as current, n.health,
      extract(epoch from now() - n.last_seen_at) * 1000 as away_ms,
      count(t.site_id) as refused, bool_or(t.site_id = 0) as is_configuration, min(x.reason) filter (where t.site_id is not null) as why,
      (select c.revision from rollout_entries c where c.rollout_id = ${rollout.id}::int and c.site_id = ${configurationSite}::int) as configuration
    from nodes n cross join installation i
    left join node_exceptions x on x.node_id = n.id
    left join rollout_entries t on t.group_id = ${rollout.groupId}::int and t.site_id = x.site_id
      and t.rollout_id = ${rollout.id}::int and t.revision = x.revision
    where n.id = any(${rollout.nodes}::int[]) and n.revoked_at is null
    group by n.id, i.epoch order by n.id`.execute(db)
  // No node is left that could prove the change good.
  if (rows.length === 0) return { reason: 'its nodes were removed', reached: false, isAtWork: false }
  let [reached, isAtWork] = [true, true]
  for (const node of rows) {
    const { before = null, start = null } = rollout.baseline[node.id] ?? {}
    const why =
      node.refused > 0
        ? `${node.isConfiguration ? 'refused' : `${node.refused} sites refused`}: ${node.why}`
        : node.awayMs > offlineAfterMs
          ? 'it does not report any more'
          : judge(before, start, node.health?.vitals)
    if (why !== undefined) return { reason: `${node.name}: ${why}`, reached, isAtWork }
    reached = reached && node.current && node.watermark >= rollout.sequence
    isAtWork = isAtWork && hasAtWork(node.health, node.configuration)
  }
  return { reached, isAtWork }
}

/**
 * Whether a node has a revision of its zone active; older nodes do not report it, and a roll-out of sites does not need
 * it.
 */
const hasAtWork = (health: NodeHealth | null, revision: number | null): boolean =>
  revision === null || health?.configuration === undefined || health.configuration >= revision

/**
 * The step is observed from now on. What was counted while a node still had the old rule set says nothing about the new
 * one.
 */
async function noteReady(db: Database, { id }: Rollout): Promise<void> {
  await sql`
    update rollouts r set ready_at = clock_timestamp(), baseline = coalesce((
      select jsonb_object_agg(n.id, jsonb_build_object('before', r.baseline->(n.id::text)->'before', 'start', n.health->'vitals'))
      from nodes n where n.id = any(r.nodes)), '{}')
    where r.id = ${id}::int`.execute(db)
}

/** Assigns new sequences to the entries of a roll-out, so that nodes past the old ones get them. Returns the last. */
async function renumber(db: Database, { id, groupId }: Rollout): Promise<number> {
  const { rows } = await sql<{ sequence: number }>`
    with held as (select head from feeds where group_id = ${groupId}::int for update),
    placed as (
      select site_id, row_number() over (order by sequence) as place from rollout_entries where rollout_id = ${id}::int),
    moved as (
      update rollout_entries t set sequence = held.head + placed.place
      from held, placed where t.group_id = ${groupId}::int and t.site_id = placed.site_id returning t.sequence)
    update feeds f set head = f.head + (select count(*) from moved), desired = f.head + (select count(*) from moved)
    where f.group_id = ${groupId}::int returning f.head as sequence`.execute(db)
  await wakeGroup(db, groupId)
  return rows[0]?.sequence ?? 0
}

async function widen(db: Database, rollout: Rollout): Promise<void> {
  const sequence = await renumber(db, rollout)
  await sql`
    update rollouts set step = 'tenth', nodes = tenth, sequence = ${sequence}::bigint, step_at = clock_timestamp(), ready_at = null
    where id = ${rollout.id}::int`.execute(db)
  await noteBaseline(db, rollout.id)
}

async function finish(db: Database, rollout: Rollout): Promise<void> {
  await renumber(db, rollout)
  await sql`
    insert into feed_entries (group_id, site_id, sequence, revision, artefact, hosts)
    select group_id, site_id, sequence, revision, artefact, hosts from rollout_entries where rollout_id = ${rollout.id}::int
    on conflict (group_id, site_id) do update
    set sequence = excluded.sequence, revision = excluded.revision, artefact = excluded.artefact, hosts = excluded.hosts`.execute(
    db,
  )
  await end(db, rollout, 'done', '')
}

/** A rollback publishes the old content again: the sites' entries in the group's feed get higher sequences. */
async function takeBack(db: Database, rollout: Rollout, reason: string): Promise<void> {
  await renumber(db, rollout)
  await sql`
    insert into returned_sites (group_id, site_id, revision, rollout_id)
    select group_id, site_id, revision, rollout_id from rollout_entries where rollout_id = ${rollout.id}::int
    on conflict (group_id, site_id) do update set revision = excluded.revision, rollout_id = excluded.rollout_id`.execute(
    db,
  )
  await sql`
    insert into feed_entries (group_id, site_id, sequence, revision, artefact, hosts)
    select group_id, site_id, sequence, revision, null, '{}' from rollout_entries where rollout_id = ${rollout.id}::int
    on conflict (group_id, site_id) do update set sequence = excluded.sequence`.execute(db)
  await end(db, rollout, 'returned', reason)
}

async function end(db: Database, { id, groupId }: Rollout, state: 'done' | 'returned', reason: string): Promise<void> {
  await db.deleteFrom('rolloutEntries').where('rolloutId', '=', id).execute()
  await sql`
    update rollouts set state = ${state}, reason = ${reason.slice(0, 500)}, ended_at = clock_timestamp(),
      step = case when ${state} = 'done' then 'all' else step end where id = ${id}::int`.execute(db)
  await wakeGroup(db, groupId)
}
