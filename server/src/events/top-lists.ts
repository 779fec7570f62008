/**
 * The top lists: what each counts by and from which rows. Used to close hours and to compute hours that are not closed.
 */
import { causes } from '@breakwater/contract/edge/causes.ts'

/** An address in its usual notation: IPv4 addresses are stored as IPv4-mapped IPv6. */
export const addressText = "replaceOne(toString(address), '::ffff:', '')"

/** Rows whose request was blocked or challenged. */
export const isRefused = "action IN ('block', 'challenge')"
/** Rows blocked or challenged by a deny list or a region rule. */
export const isDenied = `${isRefused} AND cause = ${causes.denyList}`

export const topLists = {
  country: { name: 'country', of: 'true' },
  network: { name: 'toString(asn)', of: 'asn != 0' },
  referer: { name: 'referer', of: "referer != ''" },
  url: { name: 'concat(domain, path)', of: 'true' },
  userAgent: { name: 'userAgent', of: "userAgent != ''" },
  method: { name: 'method', of: 'true' },
  httpVersion: { name: 'httpVersion', of: 'true' },
  scheme: { name: 'scheme', of: 'true' },
  address: { name: addressText, of: 'true' },
  refusedCountry: { name: 'country', of: isRefused },
  refusedAddress: { name: addressText, of: isRefused },
  deniedAddress: { name: addressText, of: isDenied },
} as const
export type TopList = keyof typeof topLists

/** Increase it when a list is added or counts differently: hours closed with another version are then closed again. */
export const listsVersion = 3

/** How many names per list and per hour of a site are kept, both by requests and by bytes. */
export const namesKeptMax = 500
