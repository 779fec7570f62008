/** Origins that are Breakwater itself: requests to them would loop. */
import { parseAddress, parseRange } from '@breakwater/contract/addresses.ts'
import type { NodeHealth } from '@breakwater/contract/edge/node-api.ts'
import { asSystem, type Database } from '../db/database.ts'
import { fieldFault } from '../http/fault.ts'
import type { Env } from '../process/env.ts'

type Places = Pick<Env, 'publicUrl' | 'edgeDomain' | 'allowOrigins'>

const keyOf = (text: string): string | undefined => {
  const address = parseAddress(text)
  return address && `${address.family}/${address.value}`
}

/**
 * Throws for nodes of any operator, the console, and names of the edge. An address in a network that the operator
 * opened is left to the nodes, which know their own ports: an origin may run on the same machine as a node.
 */
export async function requireNotOurs(
  db: Database,
  { publicUrl, edgeDomain, allowOrigins }: Places,
  upstreams: { ip: string }[],
  field: (index: number) => string,
): Promise<void> {
  const hosts = upstreams.map(({ ip }) => ip.replace(/^\[|\]$|\.$/g, '').toLowerCase())
  const opened = allowOrigins.flatMap((network) => parseRange(network) ?? [])
  const isOpened = (host: string) => {
    const address = parseAddress(host)
    return opened.some(
      ({ family, from, to }) => address?.family === family && address.value >= from && address.value <= to,
    )
  }
  const console = new URL(publicUrl).hostname
  const edge = edgeDomain.toLowerCase()
  const isOurName = (host: string) => host === console || (edge !== '' && (host === edge || host.endsWith(`.${edge}`)))
  const isAsked = hosts.some((host) => keyOf(host) !== undefined && !isOpened(host))
  const nodes = isAsked ? await nodeAddresses(db) : new Set<string>()
  const index = hosts.findIndex((host) => {
    const key = keyOf(host)
    return key === undefined ? isOurName(host) : nodes.has(key) && !isOpened(host)
  })
  if (index >= 0) throw fieldFault(field(index), 'ownOrigin')
}

/** Addresses of all nodes by family and value, because an address has several spellings. */
function nodeAddresses(db: Database): Promise<Set<string>> {
  return asSystem(db, async (tx) => {
    const nodes = await tx
      .selectFrom('nodes')
      .select(['ip', 'publicAddresses', 'health'])
      .where('revokedAt', 'is', null)
      .execute()
    const all = nodes.flatMap(({ ip, publicAddresses, health }) => [
      ...[ip, ...publicAddresses],
      ...((health as NodeHealth | null)?.addresses ?? []),
    ])
    return new Set(all.flatMap((address) => keyOf(address) ?? []))
  })
}
