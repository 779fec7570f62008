/** A page of a group's feed for one node: signed for this node, without artefacts that it could not serve. */
import { createHash } from 'node:crypto'
import { type FeedEntry, type FeedReply, feedPayload, feedSignatureText } from '@breakwater/contract/edge/node-api.ts'
import { sql } from 'kysely'
import type { Signer } from '../authority/signing-keys.ts'
import type { Database } from '../db/database.ts'
import type { NodeIdentity } from './node-identity.ts'
import type { ServedPages } from './served-pages.ts'

export const feedPageMax = 1000

/** `can` lists the features that the node supports. */
export type FeedQuestion = { epoch: number; after: number; can: readonly string[]; limit: number }

type Row = {
  epoch: number
  desired: number
  sequence: number | null
  siteId: number
  revision: number
  artefact: Buffer | null
  hosts: string[]
  requires: string[] | null
}

/**
 * The group's feed, and the entries that a roll-out lets this node try before the others. One statement, so that the
 * entries match the `desired` sequence that is sent with them. A node with another epoch gets everything from the
 * start, to compare.
 */
function readRows(
  db: Database,
  { id, groupId }: Pick<NodeIdentity, 'id' | 'groupId'>,
  { epoch, after, limit }: FeedQuestion,
): Promise<Row[]> {
  return sql<Row>`
    select i.epoch, coalesce(f.desired, 0) as desired, e.sequence, e.site_id, e.revision, e.artefact, e.hosts,
      (select array_agg(r.feature order by r.feature) from artefact_requires r where r.artefact = e.artefact) as requires
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

/**
 * An artefact that needs a feature which this node lacks is left out, with the reason: the node keeps its current
 * version of the site.
 */
function entryFor(row: Row, can: readonly string[]): FeedEntry {
  const lacking = (row.requires ?? []).filter((feature) => !can.includes(feature))
  return {
    sequence: row.sequence!,
    site: row.siteId,
    revision: row.revision,
    artefact: lacking.length > 0 ? null : (row.artefact?.toString('hex') ?? null),
    hosts: row.hosts,
    ...(lacking.length > 0 ? { ineligible: `needs a newer node: ${lacking.join(', ')}` } : {}),
  }
}

/** The page for a node. Runs as the system. */
export async function readFeed(
  db: Database,
  node: NodeIdentity,
  question: FeedQuestion,
  { signer, served }: { signer: Signer; served: ServedPages },
): Promise<FeedReply> {
  const rows = await readRows(db, node, question)
  const { epoch, desired } = rows[0]!
  served.note(node.id, rows)
  const entries: FeedEntry[] = []
  for (const row of rows) if (row.sequence !== null) entries.push(entryFor(row, question.can))
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
