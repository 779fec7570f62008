/** The input for nginx.conf: facts of this machine, the operator's settings, and the node's identity. */
import { readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { isIP } from 'node:net'
import { availableParallelism, networkInterfaces } from 'node:os'
import { join, resolve } from 'node:path'
import type { NodeConfiguration } from '@breakwater/contract/edge/node-configuration.ts'
import type { NodeSettings } from '@breakwater/contract/edge/node-disk.ts'
import type { Identity } from './identity.ts'
import type { Layout, WorkerUser } from './layout.ts'
import { originAuthorities } from './origin-authorities.ts'
import type { Settings } from './settings.ts'

/** The default share of the disk: the rest is for the spool, and for whatever else the machine does. */
const CACHE_SHARE = 0.2
const CACHE_BYTES_MAX = 10_000_000_000

/** The compiled request path. */
export const luaFolder = resolve(import.meta.dirname, '../../lua')

/**
 * A node that is not enrolled yet is node 0: nginx starts, but serves no site. Settings of this node in the console
 * override its environment; trusted proxies are those of both.
 */
export async function nodeSettings(
  settings: Settings,
  identity: Identity | undefined,
  layout: Layout,
  user: WorkerUser | undefined,
  lab: boolean,
  configuration?: NodeConfiguration,
  capabilities: readonly string[] = [],
): Promise<NodeSettings> {
  const mine = configuration?.nodes[String(identity?.nodeId)]
  return {
    nodeId: identity?.nodeId ?? 0,
    zoneId: identity?.zoneId ?? 0,
    groupId: identity?.groupId ?? 0,
    folder: settings.folder,
    httpPort: settings.httpPort,
    httpsPort: settings.httpsPort,
    workers: lab ? 1 : availableParallelism(),
    ...(user && { user: user.name }),
    lab,
    cacheBytes: mine?.cacheBytes || settings.cacheBytes || (await defaultCacheBytes(settings.folder)),
    countriesFile: join(luaFolder, 'countries.bin'),
    networksFile: join(luaFolder, 'networks.bin'),
    // A lab connects to no origin.
    ...(!lab && { caFile: await originAuthorities(layout, configuration?.originAuthorities) }),
    luaFolder,
    modulesFolder: settings.modulesFolder,
    trustedProxies: [...new Set([...settings.trustedProxies, ...(configuration?.trustedProxies ?? [])])],
    ipv6: hasIpv6(),
    ...(configuration && { http2: configuration.http2, ports: configuration.ports, heads: configuration.heads }),
    // If nginx lacks HTTP/3, the node works without it, and all other settings still apply.
    ...(configuration?.http3 === true && capabilities.includes('http3') && { http3: true }),
    ...(lab ? {} : own(settings, identity)),
  }
}

/** The standard ports by which clients reach a node behind NAT, whatever it listens on itself. */
const PUBLIC_PORTS = [80, 443]

/**
 * The addresses and ports by which this node is reached: those of its interfaces, those set here or in the console,
 * and the address that the control plane saw.
 */
function own(settings: Settings, identity: Identity | undefined): Pick<NodeSettings, 'ownAddresses' | 'ownPorts'> {
  const interfaces = Object.values(networkInterfaces()).flatMap((list) =>
    (list ?? []).map(({ address }) => plain(address)),
  )
  const told = [...(identity?.address === undefined ? [] : [identity.address]), ...(identity?.publicAddresses ?? [])]
  const elsewhere = [...settings.publicAddresses, ...told.map(plain)].filter(
    (address) => isIP(address) && !interfaces.includes(address),
  )
  // Sorted, so that a different order of the same addresses is not a new configuration.
  return {
    ownAddresses: [...new Set([...interfaces, ...elsewhere])].sort(),
    ownPorts: [...new Set([settings.httpPort, settings.httpsPort, ...(elsewhere.length > 0 ? PUBLIC_PORTS : [])])],
  }
}

/** Removes the scope ID of a link-local address. */
const plain = (address: string) => address.replace(/%.*$/, '')

async function defaultCacheBytes(folder: string): Promise<number> {
  const disk = await statfs(folder)
  // Of the whole disk, not the free space: a changing number would reload nginx for nothing.
  return Math.min(CACHE_BYTES_MAX, Math.floor(disk.blocks * disk.bsize * CACHE_SHARE))
}

function hasIpv6(): boolean {
  try {
    return readFileSync('/proc/net/if_inet6', 'utf8') !== ''
  } catch {
    return false
  }
}
