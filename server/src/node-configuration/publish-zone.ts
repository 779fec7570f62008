/**
 * Publishes the settings of a zone: its next revision, an object by hash, and an entry in the feed of each of its
 * groups, always in steps. A node that cannot apply it does not cause a rollback on the others.
 */

import { configurationSite } from '@breakwater/contract/edge/node-configuration.ts'
import { zoneShadow } from '@breakwater/contract/nodes/rule-sets.ts'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { canonicalJson, sha256 } from '../publish/canonical.ts'
import { startRollouts } from '../publish/change-many.ts'
import { appendToFeeds, keepRendered } from '../publish/feed.ts'
import type { About } from '../publish/publish-sites.ts'
import type { Rendered } from '../publish/render.ts'
import { objectsOfRow } from '../waf/site-rule-set.ts'
import {
  chosenAddressData,
  chosenRuleSet,
  chosenShadow,
  diffZones,
  emptyDocument,
  gatherZone,
  renderConfiguration,
  requiredBy,
  type ZoneDocument,
} from './document.ts'

/**
 * Publishes a zone as it is now. The caller holds its lock. `node` is the node that a change is about, if any: it tries
 * the change first. Runs as the system.
 */
export async function publishZone(db: Database, zoneId: number, about: About, node?: number) {
  const document = await gatherZone(db, zoneId)
  const before = await lastDocument(db, zoneId)
  const changes = diffZones(before, document)
  if (changes.length === 0) return { changes }
  const { operatorId, revision } = await db
    .updateTable('zones')
    .set((row) => ({ revision: row('revision', '+', 1) }))
    .where('id', '=', zoneId)
    .returning(['operatorId', 'revision'])
    .executeTakeFirstOrThrow()
  await db
    .insertInto('zoneRevisions')
    .values({ tenantId: operatorId, zoneId, revision, body: JSON.stringify(document), ...nameOf(about) })
    .execute()
  const groups = await db.selectFrom('groups').select('id').where('zoneId', '=', zoneId).orderBy('id').execute()
  // A rule set in shadow on a single node is tried on that node.
  const isOfShadow = changes.some(({ path }) => path === zoneShadow.name)
  const first = node ?? (isOfShadow ? chosenShadow(document)?.node : undefined)
  const rollouts = await begin(db, zoneId, requiredBy(document), about, first)
  await append(
    db,
    groups.map(({ id }) => id),
    revision,
    await renderedOf(db, zoneId, revision, document),
    rollouts,
  )
  if (rollouts.size > 0) await startRollouts(db, [...rollouts.keys()], [...rollouts.values()])
  return { revision, changes }
}

const nameOf = ({ actor, action }: About) => ({ actor, action })

/** The document of a zone's last revision; empty if it has none. Runs as the system. */
export async function lastDocument(db: Database, zoneId: number): Promise<ZoneDocument> {
  const row = await db
    .selectFrom('zoneRevisions')
    .select('body')
    .where('zoneId', '=', zoneId)
    .orderBy('revision', 'desc')
    .limit(1)
    .executeTakeFirst()
  return (row?.body as ZoneDocument | undefined) ?? emptyDocument
}

async function renderedOf(db: Database, zoneId: number, revision: number, document: ZoneDocument): Promise<Rendered> {
  const bytes = Buffer.from(canonicalJson(renderConfiguration(zoneId, revision, document)))
  const hash = sha256(bytes).toString('hex')
  return {
    artefact: { hash, bytes, requires: requiredBy(document) },
    objects: new Map([...(await ruleSetsOf(db, document)), ...(await addressDataOf(db, document))]),
    hosts: [],
  }
}

/** The rule sets that the zone chose, as objects. */
async function ruleSetsOf(db: Database, document: ZoneDocument): Promise<Map<string, Buffer>> {
  const chosen = [chosenRuleSet(document), chosenShadow(document)].flatMap((one) => one?.ruleSetId ?? [])
  if (chosen.length === 0) return new Map()
  const rows = await db
    .selectFrom('wafRuleSets')
    .select(['hash', 'part', 'responsesHash', 'responses'])
    .where('id', 'in', chosen)
    .execute()
  const parts = rows
    .map(objectsOfRow)
    .flatMap(({ requests, responses }) => [requests, ...(responses ? [responses] : [])])
  return new Map(parts.map(({ hash, bytes }) => [hash, bytes]))
}

/** The address data that the zone's operator chose, as objects. */
async function addressDataOf(db: Database, document: ZoneDocument): Promise<Map<string, Buffer>> {
  const chosen = Object.values(chosenAddressData(document)).map(({ id }) => id)
  if (chosen.length === 0) return new Map()
  const rows = await db.selectFrom('addressData').select(['hash', 'bytes']).where('id', 'in', chosen).execute()
  return new Map(rows.map(({ hash, bytes }) => [hash.toString('hex'), bytes]))
}

async function append(
  db: Database,
  groupIds: number[],
  revision: number,
  rendered: Rendered,
  rollouts?: ReadonlyMap<number, number>,
): Promise<void> {
  const told = [{ site: { id: configurationSite, productId: 0 }, revision, rendered }]
  await appendToFeeds(
    db,
    told,
    rollouts,
    groupIds.map((groupId) => ({ at: 0, groupId, serving: true })),
  )
  await keepRendered(db, [rendered])
}

/**
 * Starts a roll-out for each group that has a node to try it on: in use, and supporting it. Also if it is the only
 * node, because a failed roll-out is reverted automatically.
 */
async function begin(
  db: Database,
  zoneId: number,
  requires: string[],
  { actor, action }: About,
  node = 0,
): Promise<Map<number, number>> {
  const { rows } = await sql<{ groupId: number; operatorId: number; nodes: number[] }>`
    select n.group_id, min(n.operator_id) as operator_id, array_agg(n.id order by n.id <> ${node}::int, n.id) as nodes
    from nodes n
    where n.zone_id = ${zoneId}::int and n.group_id is not null and n.revoked_at is null and n.status = 1
      and n.last_seen_at > now() - interval '15 seconds' and n.health->'capabilities' ?& ${requires}::text[]
    group by n.group_id order by n.group_id`.execute(db)
  const started = new Map<number, number>()
  for (const { groupId, operatorId, nodes } of rows) {
    const tenth = nodes.slice(0, Math.ceil(nodes.length / 10))
    const summary = 'node configuration'
    const values = { operatorId, groupId, action, summary, actor, nodes: nodes.slice(0, 1), tenth }
    const { id } = await db.insertInto('rollouts').values(values).returning('id').executeTakeFirstOrThrow()
    started.set(groupId, id)
  }
  return started
}

/**
 * Gives a group the settings of its zone if its feed does not have them yet: a new group, for example. Runs as the
 * system.
 */
export async function ensureConfiguration(db: Database, groupId: number): Promise<void> {
  const row = await db
    .selectFrom('groups')
    .innerJoin('zones', 'zones.id', 'groups.zoneId')
    .innerJoin('zoneRevisions', (join) =>
      join.onRef('zoneRevisions.zoneId', '=', 'zones.id').onRef('zoneRevisions.revision', '=', 'zones.revision'),
    )
    .select(['zones.id', 'zones.revision', 'zoneRevisions.body'])
    .where('groups.id', '=', groupId)
    .where(sql<boolean>`not exists (
      select from named_entries e where e.group_id = ${groupId}::int and e.site_id = ${configurationSite}::int)`)
    .executeTakeFirst()
  if (!row) return
  const rendered = await renderedOf(db, row.id, row.revision, row.body as ZoneDocument)
  await append(db, [groupId], row.revision, rendered)
}
