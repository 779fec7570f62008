/** The network (autonomous system) of an address, by the release's data or the operator's. */
import { type AddressTable, openChosen, openRelease, valueIn } from './address-table.ts'
import { node } from './node.ts'

let ofRelease: AddressTable | undefined
let current: AddressTable | undefined
/** The operator's that is current; nothing where the release's is. */
let chosen: string | undefined

/** What was asked for last: several rules ask for the same, and a search each would make the compiled piece too large. */
let asked = ''
let found = 0

/** Maps the release's, once, when nginx starts. */
export function loadNetworks(): void {
  ofRelease = openRelease(node().networksFile)
  current = ofRelease
}

/** Takes the operator's data, or without a hash the release's again. Throws where it cannot be had; then all stays. */
export function takeNetworks(hash: string | undefined): void {
  if (hash === chosen) return
  current = hash === undefined ? ofRelease : openChosen(hash)
  chosen = hash
  asked = ''
}

/** The number of the network of an address given as 4 or 16 bytes; 0 where no data knows it. */
export function asnOf(address: string): number {
  if (address === asked) return found
  found = current === undefined ? 0 : valueIn(current, address)
  asked = address
  return found
}
