/** The country of an address, from the release's data or the operator's. */
import { type AddressTable, openChosen, openRelease, valueIn } from './address-table.ts'
import { node } from './node.ts'

export const unknownCountry = 'ZZ'

let ofRelease: AddressTable | undefined
let current: AddressTable | undefined
/** Hash of the operator's data in use; undefined if the release's is used. */
let chosen: string | undefined

/** Country codes by their numbers in the table, so that each string is made only once. */
const codes: Record<number, string> = { 0: unknownCountry }

/** The last look-up: rules and the log ask for the same address. */
let asked = ''
let found: string = unknownCountry

/** Maps the release's data once, when nginx starts. */
export function loadCountries(): void {
  ofRelease = openRelease(node().countriesFile)
  current = ofRelease
}

/**
 * Switches to the operator's data, or without a hash back to the release's. Throws if the data cannot be opened; then
 * nothing changes.
 */
export function takeCountries(hash: string | undefined): void {
  if (hash === chosen) return
  current = hash === undefined ? ofRelease : openChosen(hash)
  chosen = hash
  asked = ''
}

function codeOf(value: number): string {
  codes[value] = string.char(math.floor(value / 256) % 256, value % 256)
  return codes[value]!
}

/** The ISO 3166-1 alpha-2 country code of an address given as 4 or 16 bytes; ZZ if it is unknown. */
export function countryOf(address: string): string {
  if (address === asked) return found
  const value = current === undefined ? 0 : valueIn(current, address)
  found = codes[value] ?? codeOf(value)
  asked = address
  return found
}
