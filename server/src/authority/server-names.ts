/** Under which names and addresses nodes may reach this installation's node API. */

import { isIP } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'

const loopback = ['localhost', '127.0.0.1', '::1']
const hostLike = /^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/

/** What the operator says nodes use, by BREAKWATER_SERVER_NAMES; behind a balancer or a translated address it must be said. */
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

/** Every name and address for the node API's certificate. */
export function serverNames(): string[] {
  const host = hostname()
  return [...new Set([...declaredNames(), ...loopback, ...(hostLike.test(host) ? [host] : []), ...ownAddresses()])]
}

/** The one that a node elsewhere is told: what the operator declared, else the first address other machines can see. */
export function publicServerName(): string {
  return declaredNames()[0] ?? ownAddresses().find((address) => isIP(address) === 4) ?? hostname()
}
