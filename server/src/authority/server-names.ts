/** The names and addresses under which nodes may reach this installation's node API. */

import { isIP } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'

const loopback = ['localhost', '127.0.0.1', '::1']
const hostLike = /^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/

/** The names declared in BREAKWATER_SERVER_NAMES. Required if nodes connect through a load balancer or NAT. */
export function declaredNames(text = process.env.BREAKWATER_SERVER_NAMES ?? ''): string[] {
  const names = text.split(/[\s,]+/).filter((name) => name !== '')
  const wrong = names.find((name) => isIP(name) === 0 && !hostLike.test(name))
  if (wrong !== undefined) throw new Error(`BREAKWATER_SERVER_NAMES: ${wrong} is neither a host name nor an address`)
  return names
}

const ownAddresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .filter(({ internal, scopeid }) => !internal && !scopeid)
    .map(({ address }) => address)

/** Every name and address in the node API's certificate. */
export function serverNames(): string[] {
  const host = hostname()
  return [...new Set([...declaredNames(), ...loopback, ...(hostLike.test(host) ? [host] : []), ...ownAddresses()])]
}

/**
 * The name given to remote nodes: the first declared one, otherwise this machine's first IPv4 address, otherwise its
 * name.
 */
export function publicServerName(): string {
  return declaredNames()[0] ?? ownAddresses().find((address) => isIP(address) === 4) ?? hostname()
}
