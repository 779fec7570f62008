/** The addresses at which visitors reach a node: set by its operator, or else a guess. */
import type { NodeHealth } from '@breakwater/contract/edge/node-api.ts'
import type { ZoneNode } from '@breakwater/contract/nodes/nodes.ts'
import { isPublicAddress } from '../outbound/guard.ts'

type Known = {
  /** Set by the operator. */
  publicAddresses: string[]
  /** The address from which the node enrolled. */
  ip: string
  health: object | null
}

const isLoopback = (address: string) => /^(127\.|::1$)/.test(address)

/**
 * The guess: public addresses of the node's interfaces, else the address that the control plane saw, if it is public
 * (the node is behind NAT), else any address it has.
 */
export function publicAddressesOf({ publicAddresses: set, ip, health }: Known): ZoneNode['publicAddresses'] {
  const interfaces = (health as NodeHealth | null)?.addresses ?? []
  const seen = ip === '' || isLoopback(ip) ? [] : [ip]
  const publicOnes = [interfaces.filter(isPublicAddress), seen.filter(isPublicAddress)]
  const guesses = [...publicOnes, seen, interfaces.slice(0, 1), ip === '' ? [] : [ip]]
  const used = set.length > 0 ? set : (guesses.find((guess) => guess.length > 0) ?? [])
  return { set, used, private: !used.some(isPublicAddress) }
}
