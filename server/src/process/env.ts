/** The process's settings, read once from the environment. */
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseRange } from '@breakwater/contract/addresses.ts'

export type Env = {
  /** Where all state of this installation lives. */
  dataFolder: string
  databaseUrl: string
  /** The login of callers' transactions, where the operator made it. */
  tenantDatabaseUrl: string | undefined
  clickhouseUrl: string
  port: number
  /** The address on which console and API listen. */
  listenAddress: string
  /** Proxies in front of console and API, as CIDRs: what they say of the client in X-Forwarded-* is believed. */
  trustedProxies: string[]
  nodePort: number
  /** The ports of the edge on this machine, for previews. */
  edgeHttpPort: number
  edgeHttpsPort: number
  /** Private networks in which origins may stand, as CIDRs. */
  allowOrigins: string[]
  /** Set for automation: first accounts get it and need not change it. */
  firstPassword: string | undefined
  /** The built console; absent while it is developed with its own server. */
  consoleFolder: string
  adminConsoleEnabled: boolean
  /** The address at which people open the console, without a path: passkeys and single sign-on are bound to it. */
  publicUrl: string
  /** The console's own TLS; nothing where its address is plain HTTP, or a trusted proxy ends TLS before it. */
  consoleTls: ConsoleTls | undefined
  accountingTimeZone: string
  /** The DNS zone that the operator delegated to its edge; empty while there is none, and customers point at addresses. */
  edgeDomain: string
  /** Resolvers that are asked about customers' domains, as address or address:port; empty for the machine's own. */
  dnsServers: string[]
  /** Where certificate authorities, and our own look before an order, find the edge: 80, unless something in between changes it. */
  acmeHttpPort: number
  isDemo: boolean
  /** The default of the WAF is what Debian's package has now, and not what it had at the first start. */
  followsRuleSet: boolean
  /** Where Telegram's bot API answers. */
  telegramApi: string
  /** Public keys of vendors whose licences count here, as the environment has them. */
  licenseKeys: string
  /** Where online licences are checked; empty where nothing is asked. */
  licenseServer: string
  logLevel: string
  /** What a process may take to finish what is under way when it is stopped, in ms. */
  drainMs: number
}

/** How the console serves TLS by itself. */
export type ConsoleTls = {
  /** The host of its address: a name, or an address without brackets. */
  host: string
  /** Where challenges are answered and everything else is sent on to https; 0 for nowhere. */
  httpPort: number
  /** 0 for nowhere. */
  httpsPort: number
  listenAddress: string
  /** A certificate that somebody else renews, with its key, in PEM; without it one is ordered. */
  files: { certificate: string; key: string } | undefined
}

function required(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is not set; script/server sets it`)
  return value
}

/** An http or https address without a path. */
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

/** Ports: those that the address names, and 80, unless the environment says otherwise. */
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

/** Networks as CIDRs or addresses, separated by commas. All addresses at once are no network that one can trust. */
function readNetworks(name: string): string[] {
  const networks = (process.env[name] ?? '').split(/[\s,]+/).filter((network) => network !== '')
  for (const network of networks)
    if (!parseRange(network) || /\/0+$/.test(network)) throw new Error(`${name}: ${network} is not a network to trust`)
  return networks
}

/** Reads the environment. Throws with the variable's name when one is missing or wrong. */
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
    // The demo's origin stands on a loopback address of its own.
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
