/** The top lists: what each counts by, of which rows. Hours are closed from these, and what is not closed is read by them. */
import { causes } from '@breakwater/contract/edge/causes.ts'

/** An address as people write it: IPv4 is stored as a mapped IPv6 one. */
export const addressText = "replaceOne(toString(address), '::ffff:', '')"

/** Rows whose visitor was refused. */
export const isRefused = "action IN ('block', 'challenge')"
/** Rows refused by a deny list or a region. */
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

/** Rises when a list is added or counts otherwise: hours that were closed with another version are closed again. */
export const listsVersion = 3

/** How many names of a list a site's hour keeps, by requests and by bytes each. */
export const namesKeptMax = 500
