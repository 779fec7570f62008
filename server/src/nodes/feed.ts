/** A page of a group's feed, as one node is told it: signed for this node, in the schema it speaks. */
import { createHash } from 'node:crypto'
import { type SchemaVersion, schemaCurrent } from '@breakwater/contract/edge/artefact.ts'
import { type FeedEntry, type FeedReply, feedPayload, feedSignatureText } from '@breakwater/contract/edge/node-api.ts'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Signer } from '../authority/signing-keys.ts'
import type { Database } from '../db/database.ts'
import { artefactBefore } from './artefact-before.ts'
import type { NodeIdentity } from './node-identity.ts'
import type { Told } from './told.ts'

export const feedPageMax = 1000

export type FeedQuestion = { epoch: number; after: number; schema: SchemaVersion; limit: number }

type Row = {
  epoch: number
  desired: number
  sequence: number | null
  siteId: number
  revision: number
  artefact: Buffer | null
  hosts: string[]
}

/**
 * The group's feed, and what a roll-out has this node try before the others. One statement, so that the entries are those of the very `desired` they are told with. A node that knows another
 * epoch hears everything from the start, to compare.
 */
function readRows(
  db: Database,
  { id, groupId }: Pick<NodeIdentity, 'id' | 'groupId'>,
  { epoch, after, limit }: FeedQuestion,
): Promise<Row[]> {
  return sql<Row>`
    select i.epoch, coalesce(f.desired, 0) as desired, e.sequence, e.site_id, e.revision, e.artefact, e.hosts
    from installation i
    left join feeds f on f.group_id = ${groupId}::int
    left join lateral (
      select sequence, site_id, revision, artefact, hosts from feed_entries
      where group_id = f.group_id and sequence <= f.desired
        and sequence > case when i.epoch = ${epoch}::int then ${after}::bigint else 0 end
      union all
      select t.sequence, t.site_id, t.revision, t.artefact, t.hosts
      from rollouts r join rollout_entries t on t.rollout_id = r.id
      where r.group_id = f.group_id and r.state = 'running' and ${id}::int = any(r.nodes) and t.sequence <= f.desired
        and t.sequence > case when i.epoch = ${epoch}::int then ${after}::bigint else 0 end
      order by sequence limit ${limit}
    ) e on true
    order by e.sequence`
    .execute(db)
    .then((result) => result.rows)
}

async function entryFor(db: Database, row: Row, schema: SchemaVersion, logger: Logger): Promise<FeedEntry> {
  const entry: FeedEntry = {
    sequence: row.sequence!,
    site: row.siteId,
    revision: row.revision,
    artefact: row.artefact?.toString('hex') ?? null,
    hosts: row.hosts,
  }
  if (schema === schemaCurrent || row.artefact === null) return entry
  const before = await artefactBefore(db, row.artefact, logger)
  if ('hash' in before) return { ...entry, artefact: before.hash }
  return { ...entry, artefact: null, ineligible: before.ineligible }
}

/** Answers a node. Runs as the system. */
export async function readFeed(
  db: Database,
  node: NodeIdentity,
  question: FeedQuestion,
  { signer, logger, told }: { signer: Signer; logger: Logger; told: Told },
): Promise<FeedReply> {
  const rows = await readRows(db, node, question)
  const { epoch, desired } = rows[0]!
  told.note(node.id, rows)
  const entries: FeedEntry[] = []
  for (const row of rows) if (row.sequence !== null) entries.push(await entryFor(db, row, question.schema, logger))
  const isLast = entries.length < question.limit
  const page = {
    epoch,
    after: isLast ? desired : entries.at(-1)!.sequence,
    desired,
    entries: JSON.stringify(entries),
    signingKeys: signer.others(),
  }
  const payloadHash = createHash('sha256').update(feedPayload(page)).digest('hex')
  return { ...page, signature: signer.sign(feedSignatureText(node.id, question.after, page, payloadHash)) }
}
