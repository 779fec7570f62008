/** Counts that the nodes of a site share (contract/src/edge/tallies.ts). */
import { type KeyTally, NodeTallies, type TalliesReply } from '@breakwater/contract/edge/tallies.ts'
import type { FastifyInstance } from 'fastify'
import type { Database } from '../db/database.ts'
import { countOf } from '../db/paging.ts'
import { parse } from '../http/parse.ts'
import { anyOf } from '../publish/gather.ts'
import type { NodeApiParts } from './node-api-parts.ts'
import { type NodeIdentity, withNode } from './node-identity.ts'
import { noteSecurity } from './security-event.ts'
import { storeAttacks } from './site-attacks.ts'
import { TallyExchange } from './tally-exchange.ts'
import { UsualRates } from './usual-rates.ts'

/** Two thousand clients and a thousand sites. */
const bytesMax = 524_288

/** The site in a client's key, `<site>:<rule>:<address>`; 0 if there is none. */
const siteOfKey = ({ key }: KeyTally): number =>
  Number(/^(\d{1,9}):/.exec(Buffer.from(key, 'base64').toString('latin1'))?.[1] ?? 0)

export function tallyRoutes(app: FastifyInstance, parts: NodeApiParts): void {
  const exchange = new TallyExchange()
  const usual = new UsualRates(parts.services.events, parts.logger)

  app.post('/tallies', { bodyLimit: bytesMax }, async (request) => {
    const told = parse(NodeTallies, request.body ?? {}, 'body')
    const named = new Set([...told.sites.map(({ site }) => site), ...told.keys.map(siteOfKey)])
    const { node, own, nodes } = await withNode(parts, request, async (db, node) => {
      const own = await served(db, node, [...named])
      await storeAttacks(db, node, told.attacks)
      return { node, own, nodes: await nodesBeside(db, node) }
    })
    const foreign = [...named].filter((site) => !own.has(site))
    // This can also be an honest node that does not know yet that a site left.
    if (foreign.length > 0) noteSecurity(parts, node, 'foreign tallies', { sites: foreign.slice(0, 10) })
    const sites = told.sites.filter(({ site }) => own.has(site))
    const others = exchange.exchange(node.id, { sites, keys: told.keys.filter((tally) => own.has(siteOfKey(tally))) })
    return { nodes, ...others, usual: usual.of(sites.map(({ site }) => site)) } satisfies TalliesReply
  })
}

async function served(db: Database, node: NodeIdentity, sites: number[]): Promise<Set<number>> {
  if (sites.length === 0) return new Set()
  const rows = await db
    .selectFrom('feedEntries')
    .select('siteId')
    .where('groupId', '=', node.groupId ?? 0)
    .where('siteId', '=', anyOf(sites))
    .where('artefact', 'is not', null)
    .execute()
  return new Set(rows.map(({ siteId }) => siteId))
}

/** Nodes in use of the zone, and of other groups that serve the same products, whether or not they are online. */
async function nodesBeside(db: Database, { groupId, zoneId }: NodeIdentity): Promise<number> {
  const sameProducts = db
    .selectFrom('productGroups as own')
    .innerJoin('productGroups as other', 'other.productId', 'own.productId')
    .select('other.groupId')
    .where('own.groupId', '=', groupId ?? 0)
  const used = db.selectFrom('nodes').where('groupId', 'is not', null).where('revokedAt', 'is', null)
  return Math.max(
    1,
    await countOf(used.where((at) => at.or([at('zoneId', '=', zoneId), at('groupId', 'in', sameProducts)]))),
  )
}
