/**
 * Checks before an order whether the authority would reach us under the name. What it would refuse is reported as a
 * clear reason, without asking it.
 */

import { randomBytes } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import { request } from 'node:http'
import { isIP, isIPv6 } from 'node:net'

export type Preflight = {
  name: string
  thumbprint: string
  /** The identities of the authority in CAA records; empty if it publishes none. */
  caaIdentities: readonly string[]
  /** Resolvers, as address or address:port; empty for the system's own. */
  dnsServers: readonly string[]
  /** The port that authorities connect to: 80. */
  port: number
  /** Whether an address may be contacted, so that a tenant's name cannot make us probe private networks. */
  mayReach: (address: string) => boolean
}

/** Why no order is placed. The console has a text for each. */
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

/** Whether the CAA records of a name, or of a wildcard, allow the authority to issue. */
export function caaPermits({ name, caaIdentities, dnsServers }: Preflight): Promise<boolean> {
  // An address cannot have CAA records (RFC 8738, 6).
  if (isIP(name)) return Promise.resolve(true)
  const resolver = resolverOf(dnsServers)
  return permits(name, caaIdentities, (host) => orNone(resolver.resolveCaa(host)))
}

/** Returns undefined if the name or address points here and can be proven over HTTP. */
export async function obstacleOf({ name, dnsServers, ...given }: Preflight): Promise<Obstacle | undefined> {
  if (isIP(name)) return (await leadsHere(name, isIPv6(name) ? `[${name}]` : name, given)) ? undefined : 'notPointing'
  const resolver = resolverOf(dnsServers)
  const [four, six] = await Promise.all([orNone(resolver.resolve4(name)), orNone(resolver.resolve6(name))])
  if (four.length + six.length === 0) return 'noAddress'
  const found = await Promise.all([...four, ...six].map((address) => leadsHere(address, name, given)))
  return found.every(Boolean) ? undefined : 'notPointing'
}

type Caa = { issue?: string | undefined; issuewild?: string | undefined }

/** The CAA records closest to the name apply (RFC 8659, 3); for a wildcard its issuewild records, if there are any. */
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
    // Records with neither issue nor issuewild forbid nothing.
    return issuers.length === 0 || issuers.some((one) => identities.includes(one.split(';')[0]!.trim().toLowerCase()))
  }
  return true
}

/**
 * Whether an address answers a challenge with our thumbprint. If this machine has no IPv6, IPv6 addresses are assumed
 * to.
 */
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
