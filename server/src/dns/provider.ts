/** Why a name server failed or refused, in its own words if it gave any. */
export class DnsError extends Error {}

/** What we need of the operator's DNS. Another kind of provider is one more file like `rfc2136.ts`. */
export type DnsProvider = {
  /** The zone in which names can be written. */
  zone: string
  /** Adds a TXT record to a name. Adding an existing one changes nothing. Throws with the server's own words. */
  addText: (name: string, value: string) => Promise<void>
  /** Replaces the addresses of one family of a name; an empty list removes the record. */
  setAddresses: (name: string, type: 'A' | 'AAAA', addresses: readonly string[], ttl: number) => Promise<void>
  /** Removes this TXT record from a name. */
  removeText: (name: string, value: string) => Promise<void>
}
