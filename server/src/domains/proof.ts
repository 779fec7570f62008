/**
 * What proves that a name is a customer's: a TXT record, a file on the host, or a CNAME to the site's own name in the
 * edge's zone, which nobody can guess. An address proves nothing: many sites share it.
 */
import { randomBytes } from 'node:crypto'
import type { ProofKind } from '@breakwater/contract/domains/domains.ts'
import { guardedFetch } from '../outbound/fetch.ts'
import type { OutboundGuard } from '../outbound/guard.ts'
import type { DnsLookup } from './dns-check.ts'

/** The path of the file on the host. */
export const proofPath = '/.well-known/breakwater.txt'

export type Provable = {
  domain: string
  recordName: string
  recordValue: string
  /** The site's own name; empty if the edge has no zone. */
  cname: string
}

const plain = (name: string) => name.toLowerCase().replace(/\.$/, '')

/** How the name is currently proven; undefined if it is not. */
export async function findProof(
  { guard, lookup }: { guard: OutboundGuard; lookup: DnsLookup },
  { domain, recordName, recordValue, cname }: Provable,
): Promise<ProofKind | undefined> {
  const isWildcard = domain.startsWith('*.')
  // A wildcard is checked with a random name, for which nobody else can have made a record.
  const asked = isWildcard ? domain.replace('*', randomBytes(8).toString('hex')) : domain
  const [texts, leads, hasFile] = await Promise.all([
    lookup.texts(recordName),
    cname === '' ? { names: [] } : lookup.leadsTo(asked),
    isWildcard ? false : holdsFile(guard, domain, recordValue),
  ])
  if (texts.includes(recordValue)) return 'txt'
  if (leads.names.some((name) => plain(name) === plain(cname))) return 'cname'
  return hasFile ? 'file' : undefined
}

/** Whether the file on the host has the value on a line of its own. Follows one redirect to HTTPS on the same host. */
export async function holdsFile(guard: OutboundGuard, host: string, value: string, port = 80): Promise<boolean> {
  const url = `http://${host}${port === 80 ? '' : `:${port}`}${proofPath}`
  try {
    const first = await guardedFetch(guard, url)
    const location = first.headers.get('location') ?? ''
    const isToHttps = first.status >= 301 && first.status <= 308 && location === `https://${host}${proofPath}`
    const answer = isToHttps ? await guardedFetch(guard, location) : first
    if (answer.status !== 200) return false
    return (await answer.text()).split(/\r?\n/).some((line) => line.trim() === value)
  } catch {
    // A host that cannot be reached proves nothing, whatever the cause: the person is told that no proof was found.
    return false
  }
}
