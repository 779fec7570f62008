/** A look before an order: whether the authority would find us under the name. What it would refuse is said in plain words, and asked of nobody. */

import { randomBytes } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import { request } from 'node:http'
import { isIP, isIPv6 } from 'node:net'

export type Preflight = {
  name: string
  thumbprint: string
  /** Who may be named in CAA records; empty where the authority does not say. */
  caaIdentities: readonly string[]
  /** Resolvers, as address or address:port; empty for the machine's own. */
  dnsServers: readonly string[]
  /** Where authorities look: 80. */
  port: number
  /** Whether an address may be asked: no tenant's name makes us ask about in private networks. */
  mayReach: (address: string) => boolean
}

/** Why no order goes out. The console has a sentence for each. */
export type Obstacle =
  | 'noAddress'
  | 'notPointing'
  | 'caaForbids'
  | 'notProven'
  | 'noAuthority'
  | 'budgetSpent'
  | 'noDnsProvider'
  | 'notDelegated'
  | 'recordNotSeen'

const timeoutMs = 5_000
const bodyBytesMax = 1024

const orNone = <T>(asked: Promise<T[]>): Promise<T[]> => asked.catch(() => [])

function resolverOf(servers: readonly string[]): Resolver {
  const resolver = new Resolver({ timeout: 3_000, tries: 2 })
  if (servers.length > 0) resolver.setServers([...servers])
  return resolver
}

/** Whether the CAA records of a name, with or without a star, let the authority issue. */
export function caaPermits({ name, caaIdentities, dnsServers }: Preflight): Promise<boolean> {
  // An address has no records that could speak of it (RFC 8738, 6).
  if (isIP(name)) return Promise.resolve(true)
  const resolver = resolverOf(dnsServers)
  return permits(name, caaIdentities, (host) => orNone(resolver.resolveCaa(host)))
}

/** Nothing where a name, or an address, leads here and is proven over HTTP. */
export async function obstacleOf({ name, dnsServers, ...given }: Preflight): Promise<Obstacle | undefined> {
  if (isIP(name)) return (await leadsHere(name, isIPv6(name) ? `[${name}]` : name, given)) ? undefined : 'notPointing'
  const resolver = resolverOf(dnsServers)
  const [four, six] = await Promise.all([orNone(resolver.resolve4(name)), orNone(resolver.resolve6(name))])
  if (four.length + six.length === 0) return 'noAddress'
  const found = await Promise.all([...four, ...six].map((address) => leadsHere(address, name, given)))
  return found.every(Boolean) ? undefined : 'notPointing'
}

type Caa = { issue?: string | undefined; issuewild?: string | undefined }

/** The records nearest to the name decide (RFC 8659, 3); for a wildcard those that speak of wildcards, where there are any. */
async function permits(
  domain: string,
  identities: readonly string[],
  read: (host: string) => Promise<Caa[]>,
): Promise<boolean> {
  if (identities.length === 0) return true
  const isWildcard = domain.startsWith('*.')
  const labels = domain.replace(/^\*\./, '').split('.')
  for (let from = 0; from < labels.length - 1; from += 1) {
    const records = await read(labels.slice(from).join('.'))
    if (records.length === 0) continue
    const wild = isWildcard ? records.flatMap(({ issuewild }) => issuewild ?? []) : []
    const issuers = wild.length > 0 ? wild : records.flatMap(({ issue }) => issue ?? [])
    // Records that speak of neither forbid nothing.
    return issuers.length === 0 || issuers.some((one) => identities.includes(one.split(';')[0]!.trim().toLowerCase()))
  }
  return true
}

/** Whether an address answers a challenge with our thumbprint. Where this machine has no IPv6 an address of it is taken on trust. */
async function leadsHere(
  address: string,
  name: string,
  { thumbprint, port, mayReach }: Omit<Preflight, 'name' | 'dnsServers'>,
): Promise<boolean> {
  if (!mayReach(address)) return false
  const token = `preflight-${randomBytes(12).toString('base64url')}`
  try {
    return (await answerOf(address, port, name, `/.well-known/acme-challenge/${token}`)) === `${token}.${thumbprint}`
  } catch (error) {
    const { code = '' } = error as { code?: string }
    return isIPv6(address) && ['ENETUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(code)
  }
}

function answerOf(host: string, port: number, name: string, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const asked = request({ host, port, path, agent: false, headers: { host: name }, timeout: timeoutMs }, (reply) => {
      let text = ''
      reply.setEncoding('utf8')
      reply.on('data', (piece: string) => {
        text += piece
        if (text.length > bodyBytesMax) reply.destroy(new Error('it says too much'))
      })
      reply.on('error', reject)
      reply.on('end', () => resolve(text.trim()))
    })
    asked.on('timeout', () => asked.destroy(new Error('it does not answer')))
    asked.on('error', reject)
    asked.end()
  })
}
