/** The reputation of addresses on an operator's nodes: from its list, and from bans by its customers' sites. */
import { createHash } from 'node:crypto'
import { parseAddress, parseRange } from '@breakwater/contract/addresses.ts'
import {
  decodeReputation,
  encodeReputation,
  type ScoredRange,
  scoredRangesMax,
  scoreIn,
} from '@breakwater/contract/edge/reputation.ts'
import { banPoints, parseScoredNetwork, reputationSettings } from '@breakwater/contract/firewall/reputation.ts'
import { scoreMax } from '@breakwater/contract/firewall/reputation-score.ts'
import { sql } from 'kysely'
import { asSystem, type Database } from '../db/database.ts'

/** A file as nodes get it, and its content. */
export type ReputationFile = { hash: string; bytes: Buffer; ranges: ScoredRange[] }

/** How long a process reuses the file that it built. */
const keptMs = 10_000
/**
 * The most banned addresses in the file. Ranges in the operator's list may be split in two by addresses within them;
 * this many bans always fit.
 */
const bansMax = 100_000

type Kept = { file: ReputationFile; madeAt: number }
const kept = new Map<number, Kept>()

/** The operator's file; rebuilt every ten seconds at most. Runs as the system. */
export async function reputationFile(db: Database, operatorId: number): Promise<ReputationFile> {
  const known = kept.get(operatorId)
  if (known && Date.now() - known.madeAt < keptMs) return known.file
  const bytes = Buffer.from(encodeReputation(await scoredRanges(db, operatorId)))
  const hash = createHash('sha256').update(bytes).digest('hex')
  const file = known?.file.hash === hash ? known.file : { hash, bytes, ranges: decodeReputation(bytes) }
  kept.set(operatorId, { file, madeAt: Date.now() })
  return file
}

/** Drops an operator's cached file: its list changed in this process. */
export function forgetReputation(operatorId: number): void {
  kept.delete(operatorId)
}

/** The operator's list, and whether bans count. */
export async function reputationSources(db: Database, operatorId: number): Promise<typeof reputationSettings.defaults> {
  const saved = await db
    .selectFrom('settings')
    .select('value')
    .where('owner', '=', 'operator')
    .where('ownerId', '=', operatorId)
    .where('name', '=', reputationSettings.name)
    .executeTakeFirst()
  return (saved?.value ?? reputationSettings.defaults) as typeof reputationSettings.defaults
}

async function scoredRanges(db: Database, operatorId: number): Promise<ScoredRange[]> {
  const { countsBans, networks } = await reputationSources(db, operatorId)
  const listed = networks.flatMap((line) => {
    const entry = parseScoredNetwork(line)
    const range = entry && parseRange(entry.network)
    return range ? [{ ...range, score: entry.score }] : []
  })
  const banned = countsBans ? await bannedRanges(db, operatorId) : []
  return [...listed, ...banned].slice(0, scoredRangesMax)
}

type Banned = { address: string; score: number; sites: number; lastAt: Date }

/** Banned addresses, or the given one, worst first: points summed over sites, limited per customer. */
export async function banScores(db: Database, operatorId: number, address?: string): Promise<Banned[]> {
  const { once, again, ofCustomer, halfAfterDays, daysMax } = banPoints
  const { rows } = await sql<Banned>`
    select address::text, least(sum(points), ${scoreMax})::int as score, sum(sites)::int as sites, max(last_at) as last_at from (
      select n.address, count(*) as sites, max(n.last_at) as last_at, least(sum(
        case when n.times > 1 then ${again}::int else ${once}::int end
          / case when n.last_at > now() - make_interval(days => ${halfAfterDays}) then 1 else 2 end), ${ofCustomer}) as points
      from ban_notes n join tenants t on t.id = n.tenant_id
      where coalesce(t.operator_id, t.id) = ${operatorId}::int
        and n.last_at > now() - make_interval(days => ${daysMax})
        ${address === undefined ? sql`` : sql`and n.address >>= ${address}::inet`}
      group by n.address, n.tenant_id) of_customer
    group by address order by score desc, address limit ${bansMax}`.execute(db)
  return rows
}

async function bannedRanges(db: Database, operatorId: number): Promise<ScoredRange[]> {
  return (await banScores(db, operatorId)).flatMap(({ address, score }) => {
    const range = parseRange(address)
    return range === undefined ? [] : [{ ...range, score }]
  })
}

/** Scores of addresses on the nodes of a site's operator, by the address as given; only those that have a score. */
export type Scores = (addresses: readonly string[]) => Record<string, number>

export async function scoresOfSite(db: Database, siteId: number): Promise<Scores> {
  const { ranges } = await asSystem(db, async (system) => {
    const { operatorId } = await system
      .selectFrom('sites')
      .innerJoin('tenants', 'tenants.id', 'sites.tenantId')
      .select(sql<number>`coalesce(tenants.operator_id, tenants.id)`.as('operatorId'))
      .where('sites.id', '=', siteId)
      .executeTakeFirstOrThrow()
    return reputationFile(system, operatorId)
  })
  return (addresses) => {
    const scores: Record<string, number> = {}
    for (const text of new Set(addresses)) {
      const address = parseAddress(text)
      const score = address === undefined ? 0 : scoreIn(ranges, address)
      if (score > 0) scores[text] = score
    }
    return scores
  }
}
