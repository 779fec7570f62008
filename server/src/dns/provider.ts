/** What a name server did not do, in its own words where it had any. */
export class DnsError extends Error {}

/** What the operator's DNS is asked to do. A further kind of it is one more file like `rfc2136.ts`. */
export type DnsProvider = {
  /** Below it every name can be written. */
  zone: string
  /** A name has a TXT record more. Adding one that is there changes nothing. Throws with the server's own words. */
  addText: (name: string, value: string) => Promise<void>
  /** A name has these addresses of a family and no others; none takes the record away. */
  setAddresses: (name: string, type: 'A' | 'AAAA', addresses: readonly string[], ttl: number) => Promise<void>
  /** A name has this TXT record no more. */
  removeText: (name: string, value: string) => Promise<void>
}
