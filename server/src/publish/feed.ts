/** The feed of a group: which artefact each of its sites has, in commit order. */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { Rendered } from './render.ts'

/** Keeps what was rendered, so that nodes can fetch it. Runs as the system. */
export async function keepRendered(db: Database, rendered: Rendered): Promise<void> {
  const artefact = Buffer.from(rendered.artefact.hash, 'hex')
  const objects = [...rendered.objects].map(([hash, bytes]) => ({ hash: Buffer.from(hash, 'hex'), bytes }))
  await db
    .insertInto('objects')
    .values([{ hash: artefact, bytes: rendered.artefact.bytes }, ...objects])
    .onConflict((on) => on.doNothing())
    .execute()
  await db
    .insertInto('artefactObjects')
    .values(objects.map((object) => ({ artefact, object: object.hash })))
    .onConflict((on) => on.doNothing())
    .execute()
}

/** The groups that serve a product's sites, in the order in which their feeds are locked. */
async function groupsOf(db: Database, productId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('productGroups')
    .select('groupId')
    .where('productId', '=', productId)
    .orderBy('groupId')
    .execute()
  return rows.map((row) => row.groupId)
}

/** The next sequence of a group. Its feed's row stays locked until the transaction ends, so that sequences are given in commit order. */
async function nextSequence(db: Database, groupId: number): Promise<number> {
  await db
    .insertInto('feeds')
    .values({ groupId })
    .onConflict((on) => on.doNothing())
    .execute()
  const { head } = await db
    .updateTable('feeds')
    .set({ head: sql<number>`head + 1`, desired: sql<number>`head + 1` })
    .where('groupId', '=', groupId)
    .returning('head')
    .executeTakeFirstOrThrow()
  return head
}

/** Wakes the nodes of a group when the transaction commits, never before. */
export async function wakeGroup(db: Database, groupId: number): Promise<void> {
  await sql`select pg_notify('feed', ${String(groupId)})`.execute(db)
}

/**
 * Appends a site's newest state to the feeds of its groups, and a tombstone to those of groups that served it before. In a
 * group that has a roll-out in `rollouts` only that roll-out's nodes have it for now. Runs as the system.
 */
export async function appendToFeeds(
  db: Database,
  site: { id: number; productId: number },
  revision: number,
  rendered: Rendered | null,
  rollouts: ReadonlyMap<number, number> = new Map(),
): Promise<void> {
  const serving = await groupsOf(db, site.productId)
  const before = await db.selectFrom('feedEntries').select('groupId').where('siteId', '=', site.id).execute()
  const groups = [...new Set([...serving, ...before.map((row) => row.groupId)])].sort((a, b) => a - b)
  for (const groupId of groups) {
    const sequence = await nextSequence(db, groupId)
    const live = rendered !== null && serving.includes(groupId) ? rendered : undefined
    const artefact = live ? Buffer.from(live.artefact.hash, 'hex') : null
    const entry = { sequence, revision, artefact, hosts: live?.hosts ?? [] }
    const rolloutId = rollouts.get(groupId)
    await forgetSteps(db, groupId, site.id)
    if (rolloutId !== undefined && artefact !== null) {
      await db
        .insertInto('rolloutEntries')
        .values({ ...entry, artefact, rolloutId, groupId, siteId: site.id })
        .execute()
      continue
    }
    await db
      .insertInto('feedEntries')
      .values({ groupId, siteId: site.id, ...entry })
      .onConflict((on) => on.columns(['groupId', 'siteId']).doUpdateSet(entry))
      .execute()
    await wakeGroup(db, groupId)
  }
}

/** What is newer takes the place of what a roll-out has of a site, or took back. */
async function forgetSteps(db: Database, groupId: number, siteId: number): Promise<void> {
  for (const table of ['rolloutEntries', 'returnedSites'] as const)
    await db.deleteFrom(table).where('groupId', '=', groupId).where('siteId', '=', siteId).execute()
}
