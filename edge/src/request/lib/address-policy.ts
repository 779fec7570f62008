/**
 * Which addresses may be an origin. Networks outside the public internet are refused, so that no tenant can reach the
 * node itself, its neighbours or a cloud's metadata service through us; so are the node's own addresses. The operator's
 * exceptions can allow any of them, but never the ports on which the node listens: that would be a loop.
 */
import { closedNetworks, loopbackNetworks } from '@breakwater/contract/edge/closed-networks.ts'
import { inRangeSet, type RangeSet, rangeSet } from './address.ts'

const closed = rangeSet(closedNetworks)

/** The addresses at which this node is reached, and the ports on which it answers there. */
export type OwnAddresses = { addresses: RangeSet; ports: number[] }

/** The node's own addresses, plus all loopback addresses. Throws if one is not an address. */
export function ownAddresses(addresses: readonly string[], ports: readonly number[]): OwnAddresses {
  return { addresses: rangeSet([...loopbackNetworks, ...addresses]), ports: [...ports] }
}

/** Whether an address, as bytes, may be used as an origin on a port. */
export function mayBeOrigin(bytes: string, port: number, allowed: RangeSet, own: OwnAddresses): boolean {
  const isOwn = inRangeSet(own.addresses, bytes)
  if (isOwn && own.ports.indexOf(port) >= 0) return false
  return (!isOwn && !inRangeSet(closed, bytes)) || inRangeSet(allowed, bytes)
}
