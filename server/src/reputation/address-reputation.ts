/** The reputation of one address, for the operator whose nodes use it. */
import { formatAddress, parseAddress, parseRange } from '@breakwater/contract/addresses.ts'
import { scoreIn } from '@breakwater/contract/edge/reputation.ts'
import {
  type AddressReputation,
  addressReputation,
  toldNetworksMax,
} from '@breakwater/contract/firewall/address-reputation.ts'
import { parseScoredNetwork, type ScoredNetwork } from '@breakwater/contract/firewall/reputation.ts'
import { asSystem, type Database } from '../db/database.ts'
import { type Feature, implement } from '../http/implement.ts'
import { banScores, reputationFile, reputationSources } from './reputation.ts'

export function addressReputationFeature(): Feature {
  return implement(addressReputation, {
    find: ({ db, caller, query }) => asSystem(db, (system) => reputationOf(system, caller.tenantId, query.ip)),
  })
}

async function reputationOf(db: Database, operatorId: number, ip: string): Promise<AddressReputation> {
  const address = parseAddress(ip)!
  const { ranges } = await reputationFile(db, operatorId)
  const { networks, countsBans } = await reputationSources(db, operatorId)
  const [banned] = await banScores(db, operatorId, formatAddress(address.family, address.value))
  return {
    score: scoreIn(ranges, address),
    networks: networks
      .flatMap((line) => parseScoredNetwork(line) ?? [])
      .filter(({ network }) => holds(network, address))
      .toSorted((a, b) => b.score - a.score)
      .slice(0, toldNetworksMax),
    bans: {
      score: countsBans ? (banned?.score ?? 0) : 0,
      sites: banned?.sites ?? 0,
      lastAt: banned?.lastAt.toISOString() ?? null,
    },
  }
}

function holds(network: ScoredNetwork['network'], { family, value }: { family: 4 | 6; value: bigint }): boolean {
  const range = parseRange(network)
  return range?.family === family && range.from <= value && value <= range.to
}
