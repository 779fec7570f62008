/** The process's settings, read once from the environment. */
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseRange } from '@breakwater/contract/addresses.ts'

export type Env = {
  /** The folder with all state of this installation. */
  dataFolder: string
  databaseUrl: string
  /** The database login for callers' transactions, if the operator created one. */
  tenantDatabaseUrl: string | undefined
  clickhouseUrl: string
  port: number
  /** The address on which console and API listen. */
  listenAddress: string
  /** Proxies in front of console and API, as CIDRs: their X-Forwarded-* headers about the client are trusted. */
  trustedProxies: string[]
  nodePort: number
  /** The ports of the edge on this machine, for previews. */
  edgeHttpPort: number
  edgeHttpsPort: number
  /** Private networks in which origins may be located, as CIDRs. */
  allowOrigins: string[]
  /** Set for automation: the first accounts get it and need not change it. */
  firstPassword: string | undefined
  /** The folder of the built console; absent while the console is developed with its own server. */
  consoleFolder: string
  adminConsoleEnabled: boolean
  /** The URL at which people open the console, without a path: passkeys and single sign-on are bound to it. */
  publicUrl: string
  /** The console's own TLS; undefined if its URL is plain HTTP, or a trusted proxy terminates TLS. */
  consoleTls: ConsoleTls | undefined
  accountingTimeZone: string
  /** The DNS zone that the operator delegated to its edge; empty if there is none, and customers point at addresses. */
  edgeDomain: string
  /** Resolvers for queries about customers' domains, as address or address:port; empty for the machine's own. */
  dnsServers: string[]
  /**
   * The port on which certificate authorities, and our own check before an order, reach the edge: 80, unless something
   * in between translates it.
   */
  acmeHttpPort: number
  isDemo: boolean
  /** The WAF's default rule set follows Debian's package, instead of staying at the version of the first start. */
  followsRuleSet: boolean
  /** The URL of Telegram's bot API. */
  telegramApi: string
  /** Public keys of vendors whose licences are accepted here, as in the environment. */
  licenseKeys: string
  /** The server where online licences are checked; empty to make no such requests. */
  licenseServer: string
  logLevel: string
  /** Time in ms that a process has to finish pending work when it is stopped. */
  drainMs: number
}

/** The console's built-in TLS. */
export type ConsoleTls = {
  /** The host of the console's URL: a name, or an address without brackets. */
  host: string
  /** The port that answers challenges and redirects everything else to https; 0 for none. */
  httpPort: number
  /** 0 for none. */
  httpsPort: number
  listenAddress: string
  /** A certificate that is renewed externally, with its key, in PEM; without it one is ordered. */
  files: { certificate: string; key: string } | undefined
}

function required(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set; script/server sets it`)
  return value
}

/** An http or https URL without a path. */
function originOf(name: string, fallback: string): string {
  const text = process.env[name] || fallback
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/')
    throw new Error(`${name} is not an address like https://cdn.example.com`)
  return url.origin
}

const number = (name: string, fallback: number): number => {
  const value = Number(process.env[name] ?? fallback)
  if (!Number.isInteger(value) || value < 0 || value > 65535) throw new Error(`${name} is not a port`)
  return value
}

/** The ports are that of the URL and 80, unless the environment overrides them. */
function readConsoleTls(publicUrl: string, trustedProxies: string[]): ConsoleTls | undefined {
  const url = new URL(publicUrl)
  if (url.protocol !== 'https:' || trustedProxies.length > 0) return undefined
  const { BREAKWATER_TLS_CERTIFICATE: certificate, BREAKWATER_TLS_KEY: key } = process.env
  if (Boolean(certificate) !== Boolean(key))
    throw new Error('BREAKWATER_TLS_CERTIFICATE and BREAKWATER_TLS_KEY belong together')
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    httpPort: number('CONSOLE_HTTP_PORT', 80),
    httpsPort: number('CONSOLE_HTTPS_PORT', Number(url.port || 443)),
    listenAddress: process.env.BREAKWATER_LISTEN || '::',
    files: certificate && key ? { certificate, key } : undefined,
  }
}

/**
 * Networks as CIDRs or addresses, separated by commas. A network of all addresses cannot be trusted, and is rejected.
 */
function readNetworks(name: string): string[] {
  const networks = (process.env[name] ?? '').split(/[\s,]+/).filter((network) => network !== '')
  for (const network of networks)
    if (!parseRange(network) || /\/0+$/.test(network)) throw new Error(`${name}: ${network} is not a network to trust`)
  return networks
}

/** Reads the environment. Throws with the variable's name if one is missing or invalid. */
export function readEnv(): Env {
  const dataFolder = resolve(process.env.BREAKWATER_DATA ?? './data')
  const isDemo = process.env.BREAKWATER_DEMO === '1'
  const allowed = (process.env.BREAKWATER_ALLOW_ORIGINS ?? '').split(/[\s,]+/)
  mkdirSync(join(dataFolder, 'keys'), { recursive: true, mode: 0o700 })
  const port = number('PORT', 8080)
  const publicUrl = originOf('BREAKWATER_PUBLIC_URL', `http://localhost:${port}`)
  const trustedProxies = readNetworks('BREAKWATER_TRUSTED_PROXIES')
  return {
    dataFolder,
    databaseUrl: required('DATABASE_URL'),
    tenantDatabaseUrl: process.env.DATABASE_TENANT_URL || undefined,
    clickhouseUrl: required('CLICKHOUSE_URL'),
    port,
    listenAddress: process.env.BREAKWATER_LISTEN || '127.0.0.1',
    trustedProxies,
    nodePort: number('NODE_PORT', 8442),
    edgeHttpPort: number('EDGE_HTTP_PORT', 80),
    edgeHttpsPort: number('EDGE_HTTPS_PORT', 443),
    // The demo's origin has a loopback address of its own.
    allowOrigins: [...allowed.filter((cidr) => cidr !== ''), ...(isDemo ? ['127.0.0.9/32'] : [])],
    firstPassword: process.env.BREAKWATER_FIRST_PASSWORD || undefined,
    consoleFolder: resolve(import.meta.dirname, '../../../console/dist'),
    adminConsoleEnabled: process.env.BREAKWATER_ADMIN_CONSOLE !== 'off',
    publicUrl,
    consoleTls: readConsoleTls(publicUrl, trustedProxies),
    accountingTimeZone: process.env.BREAKWATER_ACCOUNTING_TIME_ZONE ?? 'Asia/Taipei',
    edgeDomain: (process.env.BREAKWATER_EDGE_DOMAIN ?? '').replace(/^\.|\.$/g, ''),
    followsRuleSet: process.env.BREAKWATER_WAF_DEFAULT === 'installed',
    dnsServers: (process.env.BREAKWATER_DNS_SERVERS ?? '').split(/[\s,]+/).filter((server) => server !== ''),
    acmeHttpPort: number('BREAKWATER_ACME_HTTP_PORT', 80),
    isDemo,
    telegramApi: originOf('BREAKWATER_TELEGRAM_API', 'https://api.telegram.org'),
    licenseKeys: process.env.BREAKWATER_LICENSE_KEYS ?? '',
    licenseServer: process.env.BREAKWATER_LICENSE_SERVER ?? '',
    logLevel: process.env.BREAKWATER_LOG_LEVEL ?? 'info',
    drainMs: number('BREAKWATER_DRAIN_SECONDS', 30) * 1000,
  }
}
