/** The network (autonomous system) of an address, from the release's data or the operator's. */
import { type AddressTable, openChosen, openRelease, valueIn } from './address-table.ts'
import { node } from './node.ts'

let ofRelease: AddressTable | undefined
let current: AddressTable | undefined
/** Hash of the operator's data in use; undefined if the release's is used. */
let chosen: string | undefined

/** The last look-up: several rules ask for the same address, and a search in each would make the trace too long. */
let asked = ''
let found = 0

/** Maps the release's data once, when nginx starts. */
export function loadNetworks(): void {
  ofRelease = openRelease(node().networksFile)
  current = ofRelease
}

/**
 * Switches to the operator's data, or without a hash back to the release's. Throws if the data cannot be opened; then
 * nothing changes.
 */
export function takeNetworks(hash: string | undefined): void {
  if (hash === chosen) return
  current = hash === undefined ? ofRelease : openChosen(hash)
  chosen = hash
  asked = ''
}

/** The AS number of an address given as 4 or 16 bytes; 0 if it is unknown. */
export function asnOf(address: string): number {
  if (address === asked) return found
  found = current === undefined ? 0 : valueIn(current, address)
  asked = address
  return found
}
