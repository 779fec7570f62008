/** The agent's settings, read once from the environment. */
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { resolve } from 'node:path'

export type Settings = {
  /** The folder shared by agent and nginx. */
  folder: string
  /** `https://host:port` of the control plane's NODE_PORT. */
  server: string | undefined
  /** PEM of the only certificate authority trusted for it. */
  serverCa: string | undefined
  enrolToken: string | undefined
  nodeName: string
  httpPort: number
  httpsPort: number
  /** The loopback port of `/metrics`; 0 disables it. */
  metricsPort: number
  trustedProxies: string[]
  /** Public addresses of this node, besides those of its interfaces. */
  publicAddresses: string[]
  /** The user of nginx's workers if everything starts as root. */
  nodeUser: string
  nginx: string
  modulesFolder: string
  cacheBytes: number | undefined
  spool: SpoolLimits
  /** Whether the agent may let the kernel drop packets, if it has the permission. */
  kernelBans: boolean
}

export type SpoolLimits = {
  /** The limit for the whole spool; above it the oldest segment is dropped. */
  quotaBytes: number
  /** A log is rotated at this size. */
  segmentBytes: number
}

type Environment = Record<string, string | undefined>

/** An invalid setting; the message names it. */
export class SettingError extends Error {}

function integer(env: Environment, name: string, fallback: number, max: number): number {
  const text = env[name]
  if (text === undefined || text === '') return fallback
  const value = Number(text)
  if (!Number.isInteger(value) || value < 0 || value > max) throw new SettingError(`${name} is not a number to ${max}`)
  return value
}

function fileOf(env: Environment, name: string): string | undefined {
  const path = env[name]
  if (!path) return undefined
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new SettingError(`${name}: cannot read ${path} (${(error as NodeJS.ErrnoException).code})`)
  }
}

const listOf = (text: string | undefined) => (text ?? '').split(/[\s,]+/).filter((entry) => entry !== '')

function addresses(env: Environment, name: string): string[] {
  const list = listOf(env[name])
  const wrong = list.find((entry) => !isIP(entry))
  if (wrong !== undefined) throw new SettingError(`${name}: ${wrong} is not an IP address`)
  return list
}

export function readSettings(env: Environment = process.env): Settings {
  if (!env.BREAKWATER_NODE_DATA) throw new SettingError('BREAKWATER_NODE_DATA is not set: the folder of this node')
  const server = env.BREAKWATER_SERVER || undefined
  if (server !== undefined && !/^https:\/\/[^/]+$/.test(server)) {
    throw new SettingError('BREAKWATER_SERVER must be https://host:port')
  }
  return {
    folder: resolve(env.BREAKWATER_NODE_DATA),
    server,
    serverCa: fileOf(env, 'BREAKWATER_SERVER_CA'),
    enrolToken: (env.BREAKWATER_ENROL_TOKEN || fileOf(env, 'BREAKWATER_ENROL_TOKEN_FILE'))?.trim(),
    nodeName: (env.BREAKWATER_NODE_NAME || hostname()).slice(0, 64),
    httpPort: integer(env, 'EDGE_HTTP_PORT', 80, 65535),
    httpsPort: integer(env, 'EDGE_HTTPS_PORT', 443, 65535),
    metricsPort: integer(env, 'BREAKWATER_METRICS_PORT', 0, 65535),
    trustedProxies: listOf(env.BREAKWATER_TRUSTED_PROXIES),
    publicAddresses: addresses(env, 'BREAKWATER_NODE_ADDRESSES'),
    nodeUser: env.BREAKWATER_NODE_USER || 'www-data',
    nginx: env.BREAKWATER_NGINX || '/usr/sbin/nginx',
    modulesFolder: env.BREAKWATER_NGINX_MODULES || '/usr/lib/nginx/modules',
    cacheBytes: env.BREAKWATER_CACHE_BYTES ? integer(env, 'BREAKWATER_CACHE_BYTES', 0, 2 ** 50) : undefined,
    kernelBans: env.BREAKWATER_KERNEL_BANS !== 'no',
    spool: {
      quotaBytes: integer(env, 'BREAKWATER_SPOOL_BYTES', 2_000_000_000, 2 ** 50),
      segmentBytes: integer(env, 'BREAKWATER_SPOOL_SEGMENT_BYTES', 64_000_000, 2 ** 40),
    },
  }
}
