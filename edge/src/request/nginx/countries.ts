/** The country of an address, by the release's data or the operator's. */
import { type AddressTable, openChosen, openRelease, valueIn } from './address-table.ts'
import { node } from './node.ts'

export const unknownCountry = 'ZZ'

let ofRelease: AddressTable | undefined
let current: AddressTable | undefined
/** The operator's that is current; nothing where the release's is. */
let chosen: string | undefined

/** Codes by the numbers that stand for them: a text is made of each once. */
const codes: Record<number, string> = { 0: unknownCountry }

/** What was asked for last: rules and the log ask for the same. */
let asked = ''
let found: string = unknownCountry

/** Maps the release's, once, when nginx starts. */
export function loadCountries(): void {
  ofRelease = openRelease(node().countriesFile)
  current = ofRelease
}

/** Takes the operator's data, or without a hash the release's again. Throws where it cannot be had; then all stays. */
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

/** The ISO 3166-1 alpha-2 code of the country of an address given as 4 or 16 bytes; ZZ where no data knows it. */
export function countryOf(address: string): string {
  if (address === asked) return found
  const value = current === undefined ? 0 : valueIn(current, address)
  found = codes[value] ?? codeOf(value)
  asked = address
  return found
}
