/**
 * Where an origin may stand. Networks that are not the public internet are refused, so that no tenant reaches the node
 * itself, its neighbours or a cloud's metadata through us, and so are the node's own addresses. The
 * operator's exceptions open any of them, but never the ports on which the node listens: that would be a loop.
 */
import { closedNetworks, loopbackNetworks } from '@breakwater/contract/edge/closed-networks.ts'
import { inRangeSet, type RangeSet, rangeSet } from './address.ts'

const closed = rangeSet(closedNetworks)

/** The addresses by which this node is reached, and the ports that it answers on there. */
export type OwnAddresses = { addresses: RangeSet; ports: number[] }

/** The node's own addresses, with every name of loopback. Throws on what is no address. */
export function ownAddresses(addresses: readonly string[], ports: readonly number[]): OwnAddresses {
  return { addresses: rangeSet([...loopbackNetworks, ...addresses]), ports: [...ports] }
}

/** Whether an address, as bytes, may be an origin's on a port. */
export function mayBeOrigin(bytes: string, port: number, allowed: RangeSet, own: OwnAddresses): boolean {
  const isOwn = inRangeSet(own.addresses, bytes)
  if (isOwn && own.ports.indexOf(port) >= 0) return false
  return (!isOwn && !inRangeSet(closed, bytes)) || inRangeSet(allowed, bytes)
}
