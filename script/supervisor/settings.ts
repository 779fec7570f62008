import { resolve } from 'node:path'
import { parseArgs } from 'node:util'

/** The user's settings, from the environment and the command line; nothing is looked up here. */
export type Settings = {
  dataFolder: string
  /** Explicitly requested ports; the others are chosen from those that are free. */
  asked: Partial<Record<PortName, number>>
  /** Where console and API listen. */
  listenAddress: string
  /**
   * Where the console serves TLS itself: the port of its https URL. Undefined without such a URL, or with a proxy in
   * front.
   */
  ownTlsPort: number | undefined
  databaseUrl: string | undefined
  clickhouseUrl: string | undefined
  /** Memory limit of the embedded ClickHouse; undefined for its default. */
  clickhouseMemoryBytes: number | undefined
  demo: boolean
  verbose: boolean
  /** Replaces the supervisor that runs on the same data folder, instead of refusing to start. */
  takeOver: boolean
  /** --edge-domain, unmodified. */
  edgeDomain: string | undefined
}

export const PORT_NAMES = [
  'PORT',
  'NODE_PORT',
  'CONSOLE_HTTP_PORT',
  'CONSOLE_HTTPS_PORT',
  'EDGE_HTTP_PORT',
  'EDGE_HTTPS_PORT',
] as const
export type PortName = (typeof PORT_NAMES)[number]

export const HELP = `Breakwater: starts everything on this machine and serves until Ctrl-C.

  script/server [--demo] [--verbose] [--help]

  --demo      add a labelled demo customer with a demo origin and a little traffic
  --edge-domain <name>  save the DNS zone of your edge, into which customers' CNAMEs point; empty for none
  --verbose   show the logs of all parts here too (they are in <data>/logs in any case)
  --take-over replace the release that runs on the same data folder (script/upgrade builds first)

Environment:
  BREAKWATER_DATA            the one folder that holds all state            ./data
  PORT                       console and API                                8080, or the next free one
  BREAKWATER_LISTEN          the address on which they listen               127.0.0.1: this machine only
  BREAKWATER_PUBLIC_URL      where people open the console; with https and no proxy in front it serves ports 80 and 443
  NODE_PORT                  where nodes connect, with mutual TLS           8442, or the next free one
  EDGE_HTTP_PORT             the edge node of this machine                  80 when possible, else 8081
  EDGE_HTTPS_PORT            the same with TLS                              443 when possible, else 8443
  BREAKWATER_FIRST_PASSWORD  password of the first accounts; then no change is asked for
  BREAKWATER_ALLOW_ORIGINS   private networks in which origins may stand, for example 127.0.0.0/8
  DATABASE_URL               a PostgreSQL of your own (15 or later)         embedded
  DATABASE_TENANT_URL        its login for callers, where DATABASE_URL's user may not make one
  BREAKWATER_MASTER_KEY_FILE the master key, outside of the data folder        <data>/keys/master.key
  CLICKHOUSE_URL             a ClickHouse of your own                       embedded
  BREAKWATER_CLICKHOUSE_MEMORY_BYTES  what the embedded one may hold        a third of the memory, 1 to 8 GiB`

/** Below this, a report over many sites fails for lack of memory. */
const clickhouseMemoryMin = 512 * 2 ** 20

/** Throws an error that names the wrong variable or option. */
export function readSettings(args: string[], environment: NodeJS.ProcessEnv): Settings & { help: boolean } {
  const { values } = parseArgs({
    args,
    options: {
      demo: { type: 'boolean' },
      verbose: { type: 'boolean' },
      'take-over': { type: 'boolean' },
      'edge-domain': { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  const asked: Settings['asked'] = {}
  for (const name of PORT_NAMES) {
    const text = environment[name]
    if (text) asked[name] = readPort(name, text)
  }
  return {
    dataFolder: resolve(environment.BREAKWATER_DATA || 'data'),
    asked,
    listenAddress: environment.BREAKWATER_LISTEN || '127.0.0.1',
    ownTlsPort: ownTlsPort(environment),
    databaseUrl: environment.DATABASE_URL || undefined,
    clickhouseUrl: environment.CLICKHOUSE_URL || undefined,
    clickhouseMemoryBytes: environment.BREAKWATER_CLICKHOUSE_MEMORY_BYTES
      ? readMemory('BREAKWATER_CLICKHOUSE_MEMORY_BYTES', environment.BREAKWATER_CLICKHOUSE_MEMORY_BYTES)
      : undefined,
    demo: values.demo ?? false,
    verbose: values.verbose ?? false,
    takeOver: values['take-over'] ?? false,
    edgeDomain: values['edge-domain'],
    help: values.help ?? false,
  }
}

/** An invalid URL is rejected by the control plane. */
function ownTlsPort({
  BREAKWATER_PUBLIC_URL: address = '',
  BREAKWATER_TRUSTED_PROXIES: proxies = '',
}: NodeJS.ProcessEnv) {
  const url = URL.canParse(address) ? new URL(address) : undefined
  return url?.protocol === 'https:' && proxies.trim() === '' ? Number(url.port || 443) : undefined
}

function readPort(name: PortName, text: string): number {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 1 || port > 65535)
    throw new Error(`${name}=${text} is no port: use 1 to 65535.`)
  return port
}

function readMemory(name: string, text: string): number {
  const bytes = Number(text)
  if (!Number.isInteger(bytes) || bytes < clickhouseMemoryMin)
    throw new Error(`${name}=${text} is too little or no number of bytes: use ${clickhouseMemoryMin} or more.`)
  return bytes
}
