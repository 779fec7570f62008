/** The feed of a group: the artefact of each of its sites, in commit order. */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Rendered } from './render.ts'

/** A site's newest state, for its groups. `rendered` is null for a site that is not served. */
export type FeedChange = { site: { id: number; productId: number }; revision: number; rendered: Rendered | null }

/** Stores what was rendered, so that nodes can fetch it. The caller holds the feeds. Runs as the system. */
export async function keepRendered(db: Database, rendered: Rendered[]): Promise<void> {
  const objects = new Map(
    rendered.flatMap(({ artefact, objects }) => [[artefact.hash, artefact.bytes] as const, ...objects]),
  )
  const hashes = [...objects.keys()].map(bytesOf)
  const { rows } = await sql<{ hash: Buffer }>`select hash from objects where hash = any(${hashes}::bytea[])`.execute(
    db,
  )
  for (const { hash } of rows) objects.delete(hash.toString('hex'))
  const asked: Promise<unknown>[] = []
  if (objects.size > 0)
    asked.push(
      sql`
        insert into objects (hash, bytes)
        select * from unnest(${[...objects.keys()].map(bytesOf)}::bytea[], ${[...objects.values()]}::bytea[])
        on conflict do nothing`.execute(db),
    )
  const requires = rendered.flatMap(({ artefact }) =>
    artefact.requires.map((feature) => [artefact.hash, feature] as const),
  )
  if (requires.length > 0)
    asked.push(
      sql`
        insert into artefact_requires (artefact, feature)
        select * from unnest(${requires.map(([artefact]) => bytesOf(artefact))}::bytea[], ${requires.map(([, feature]) => feature)}::text[])
        on conflict do nothing`.execute(db),
    )
  const links = rendered.flatMap(({ artefact, objects }) =>
    [...objects.keys()].map((object) => [artefact.hash, object] as const),
  )
  asked.push(
    sql`
      insert into artefact_objects (artefact, object)
      select * from unnest(${links.map(([artefact]) => bytesOf(artefact))}::bytea[], ${links.map(([, object]) => bytesOf(object))}::bytea[])
      on conflict do nothing`.execute(db),
  )
  await Promise.all(asked)
}

const bytesOf = (hash: string): Buffer => Buffer.from(hash, 'hex')

/** Wakes the nodes of a group when the transaction commits, never before. */
export async function wakeGroup(db: Database, groupId: number): Promise<void> {
  await sql`select pg_notify('feed', ${String(groupId)})`.execute(db)
}

type Entry = {
  groupId: number
  siteId: number
  sequence: number
  revision: number
  artefact: Buffer | null
  hosts: string[]
}

/**
 * Appends sites' newest states to the feeds of their groups, and tombstones to those of groups that served them before.
 * In a group that has a roll-out in `rollouts`, only that roll-out's nodes get them for now. `reached` lists the groups
 * that they go to, in order; by default, those of their products. Runs as the system.
 */
export async function appendToFeeds(
  db: Database,
  changes: FeedChange[],
  rollouts: ReadonlyMap<number, number> = new Map(),
  reached?: Reached[],
): Promise<void> {
  const entries = await placeEntries(db, changes, reached ?? (await reach(db, changes)))
  const isStep = ({ groupId, artefact }: Entry) => rollouts.has(groupId) && artefact !== null
  const [steps, news] = [entries.filter(isStep), entries.filter((entry) => !isStep(entry))]
  await Promise.all([forgetSteps(db, entries), putEntries(db, news)])
  if (steps.length > 0)
    await sql`
      insert into rollout_entries (group_id, site_id, sequence, revision, artefact, hosts, rollout_id)
      select e.*, r.rollout_id from (${rowsOf(steps)}) e
      join unnest(${[...rollouts.keys()]}::int[], ${[...rollouts.values()]}::int[]) as r (group_id, rollout_id) using (group_id)`.execute(
      db,
    )
}

/** Puts sites' newest states into the feeds, and wakes the nodes that read them. */
async function putEntries(db: Database, entries: Entry[]): Promise<void> {
  if (entries.length === 0) return
  await sql`
    with put as (
      insert into feed_entries (group_id, site_id, sequence, revision, artefact, hosts) ${rowsOf(entries)}
      on conflict (group_id, site_id) do update
      set sequence = excluded.sequence, revision = excluded.revision, artefact = excluded.artefact, hosts = excluded.hosts
      returning group_id)
    select pg_notify('feed', group_id::text) from put group by group_id`.execute(db)
}

/** The change at index `at` goes to a group. */
export type Reached = { at: number; groupId: number; serving: boolean }

/**
 * Which groups get which of the sites: those that serve its product, and those that served it before. Ordered by group,
 * then as given.
 */
async function reach(db: Database, changes: FeedChange[]): Promise<Reached[]> {
  const [sites, products] = [changes.map(({ site }) => site.id), changes.map(({ site }) => site.productId)]
  const { rows } = await sql<Reached>`
    select t.at::int - 1 as at, g.group_id, bool_or(g.serving) as serving
    from unnest(${sites}::int[], ${products}::int[]) with ordinality as t (site_id, product_id, at)
    cross join lateral (
      select group_id, true as serving from product_groups where product_id = t.product_id
      union all
      select group_id, false from feed_entries where site_id = t.site_id) g
    group by t.at, g.group_id order by g.group_id, t.at`.execute(db)
  return rows
}

/**
 * The entries with their sequences. The feeds stay locked until the transaction ends, so that sequences are assigned in
 * commit order.
 */
async function placeEntries(db: Database, changes: FeedChange[], reached: Reached[]): Promise<Entry[]> {
  const counts = new Map<number, number>()
  for (const { groupId } of reached) counts.set(groupId, (counts.get(groupId) ?? 0) + 1)
  const next = await takeSequences(db, counts)
  return reached.map(({ at, groupId, serving }): Entry => {
    const { site, revision, rendered } = changes[at]!
    const sequence = next.get(groupId)!
    next.set(groupId, sequence + 1)
    const live = serving ? rendered : null
    return {
      groupId,
      siteId: site.id,
      sequence,
      revision,
      artefact: live && bytesOf(live.artefact.hash),
      hosts: live?.hosts ?? [],
    }
  })
}

/** The first of this many sequences in each group's feed; feeds are locked in the order of the groups. */
async function takeSequences(db: Database, counts: ReadonlyMap<number, number>): Promise<Map<number, number>> {
  const found = await advance(db, counts)
  const missing = new Map([...counts].filter(([groupId]) => !found.has(groupId)))
  if (missing.size === 0) return found
  // For a group's first site.
  await sql`insert into feeds (group_id) select * from unnest(${[...missing.keys()]}::int[]) on conflict do nothing`.execute(
    db,
  )
  return new Map([...found, ...(await advance(db, missing))])
}

async function advance(db: Database, counts: ReadonlyMap<number, number>): Promise<Map<number, number>> {
  const groupIds = [...counts.keys()]
  const { rows } = await sql<{ groupId: number; first: number }>`
    with locked as (select group_id from feeds where group_id = any(${groupIds}::int[]) order by group_id for update)
    update feeds f set head = f.head + t.count, desired = f.head + t.count
    from unnest(${groupIds}::int[], ${[...counts.values()]}::int[]) as t (group_id, count) join locked using (group_id)
    where f.group_id = t.group_id returning f.group_id, f.head - t.count + 1 as first`.execute(db)
  return new Map(rows.map(({ groupId, first }) => [groupId, first]))
}

/** Entries as rows. A host contains no space. */
const rowsOf = (entries: Entry[]) => sql`
  select group_id, site_id, sequence, revision, artefact, string_to_array(hosts, ' ') as hosts
  from unnest(${entries.map((entry) => entry.groupId)}::int[], ${entries.map((entry) => entry.siteId)}::int[],
    ${entries.map((entry) => entry.sequence)}::bigint[], ${entries.map((entry) => entry.revision)}::int[],
    ${entries.map((entry) => entry.artefact)}::bytea[], ${entries.map((entry) => entry.hosts.join(' '))}::text[])
    as t (group_id, site_id, sequence, revision, artefact, hosts)`

/** Newer entries replace those of a site that a roll-out holds or has reverted. */
async function forgetSteps(db: Database, entries: Entry[]): Promise<void> {
  const [groups, sites] = [entries.map((entry) => entry.groupId), entries.map((entry) => entry.siteId)]
  const ofThem = sql`
    using unnest(${groups}::int[], ${sites}::int[]) as t (group_id, site_id)
    where x.group_id = t.group_id and x.site_id = t.site_id`
  await sql`with taken_back as (delete from returned_sites x ${ofThem}) delete from rollout_entries x ${ofThem}`.execute(
    db,
  )
}
