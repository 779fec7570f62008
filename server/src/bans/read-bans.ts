/** The bans of a node's sites, and of its zone, that changed since its last request, signed for it. */
import { createHash } from 'node:crypto'
import { formatRange } from '@breakwater/contract/addresses.ts'
import { type BanChange, type BansReply, banSecondsMax, bansSignatureText } from '@breakwater/contract/edge/bans.ts'
import { zoneWide } from '@breakwater/contract/edge/zone-bans.ts'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { protectedOfZone } from './protected-addresses.ts'

const pageMax = 2_000

export type BansQuestion = {
  after: number
  /** Only these sites; if empty, all that the node serves. */
  sites: readonly number[]
  /**
   * Whether to include the bans of the node's whole zone (if no sites are named), and the networks that nodes never
   * drop.
   */
  zone: boolean
}

type Row = { epoch: number; sequence: number | null; siteId: number; address: string; seconds: number }

/**
 * Runs as the system. A request after 0 gets no lifted bans: that node has none of them, or compares the whole list.
 */
export async function readBans(
  db: Database,
  node: { id: number; groupId: number | null; zoneId: number },
  { after, sites, zone }: BansQuestion,
  sign: (text: string) => BansReply['signature'],
): Promise<BansReply> {
  const { rows } = await sql<Row>`
    select i.epoch, b.* from installation i left join lateral (
      (select b.sequence, b.site_id, b.address::text as address,
        case when b.lifted_at is null then ceil(extract(epoch from b.until - now()))::int else 0 end as seconds
      from bans b join feed_entries f on f.site_id = b.site_id and f.group_id = ${node.groupId ?? 0} and f.artefact is not null
      where b.sequence > ${after} and b.until > now() and (${after} > 0 or b.lifted_at is null)
        and (${sites.length === 0} or b.site_id = any(${[...sites]}::int[]))
      order by b.sequence limit ${pageMax})
      union all
      (select b.sequence, ${zoneWide}, b.address::text,
        case when b.lifted_at is null then ceil(extract(epoch from b.until - now()))::int else 0 end
      from zone_bans b
      where b.zone_id = ${node.zoneId}::int and ${zone && sites.length === 0}
        and b.sequence > ${after} and b.until > now() and (${after} > 0 or b.lifted_at is null)
      order by b.sequence limit ${pageMax})
      order by sequence limit ${pageMax}) b on true
    order by b.sequence`.execute(db)
  const found = rows.filter((row) => row.sequence !== null)
  const changes: BanChange[] = found.map(({ siteId, address, seconds }) => ({
    ...{ site: siteId, address: withoutWholeMask(address) },
    seconds: Math.min(seconds, banSecondsMax),
  }))
  const page = {
    epoch: rows[0]!.epoch,
    after: found.at(-1)?.sequence ?? after,
    more: found.length === pageMax,
    bans: JSON.stringify(changes),
  }
  const spared = zone ? JSON.stringify((await protectedOfZone(db, node.zoneId)).map(formatRange)) : undefined
  const hashes = [page.bans, ...(spared === undefined ? [] : [spared])].map(hashOf)
  const signature = sign(bansSignatureText(node.id, after, page, ...hashes))
  return { ...page, ...(spared !== undefined && { spared }), signature }
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** PostgreSQL includes the mask of a single address when it casts to text. */
export const withoutWholeMask = (address: string): string => address.replace(/^([\d.]+)\/32$/, '$1')
