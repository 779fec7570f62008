/** Reads `upstream` and `proxy_pass` as origins. */
import { balances, UpstreamInput } from '@breakwater/contract/domains/domains.ts'
import type { z } from 'zod'
import type { Note } from '../draft.ts'
import type { Directive } from './tree.ts'
import { within } from './values.ts'

type Origin = z.input<typeof UpstreamInput>
export type Origins = { upstreams: Origin[]; balance: 1 | 2 | 3 | 4 | 5 }
/** The origins, the path that replaces the location's (empty for none), and whether the host is a name. */
export type Passed = { origins: Origins; path: string; key: string; isNamed: boolean; place: Directive }

/** The context of every server: settings of the enclosing level, and the upstreams. */
export type Around = { level: readonly Directive[]; upstreams: ReadonlyMap<string, Origins> }

const upstreamsMax = 50

/** The upstreams of a configuration by name. */
export function upstreamsOf(directives: readonly Directive[], note: Note): Map<string, Origins> {
  const found = new Map<string, Origins>()
  for (const directive of directives) {
    const [name] = directive.args
    if (directive.name === 'upstream' && name && directive.block) found.set(name, originsOf(directive.block, note))
  }
  return found
}

const balanceOf = (name: string, [key = '']: readonly string[]): Origins['balance'] | undefined => {
  if (name === 'least_conn') return balances.leastConnections
  if (name === 'ip_hash') return balances.ipHash
  if (name === 'random') return balances.random
  if (name !== 'hash') return undefined
  if (/^\$(request_)?uri$/.test(key)) return balances.urlHash
  return /^\$(binary_)?remote_addr$/.test(key) ? balances.ipHash : undefined
}

function originsOf(block: readonly Directive[], note: Note): Origins {
  const origins: Origins = { upstreams: [], balance: balances.roundRobin }
  for (const directive of block) {
    const { name, args } = directive
    if (name === 'server') {
      const [address = '', ...options] = args
      const origin = originOf(address, 80, options)
      if (!origin) note('origin', directive)
      else if (origins.upstreams.length >= upstreamsMax) note('tooMany', directive)
      else origins.upstreams.push(origin)
    } else {
      const balance = balanceOf(name, args)
      if (balance) origins.balance = balance
      else note(name === 'hash' ? 'value' : 'byEdge', directive)
    }
  }
  return origins
}

/** Parses `192.0.2.1:8080 weight=3 backup down`; undefined if it is not an address, such as a Unix socket. */
function originOf(address: string, usualPort: number, options: readonly string[] = []): Origin | undefined {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(address) ?? []
  const weight = options.map((option) => /^weight=(\d{1,9})$/.exec(option)?.[1]).find((found) => found)
  const origin: Origin = {
    ip: bracketed ?? plain ?? '',
    port: Number(port ?? usualPort),
    ...(weight !== undefined && { weight: within(Number(weight), 1, 100) }),
    ...(options.includes('backup') && { backup: true }),
    ...(options.includes('down') && { enabled: false }),
  }
  return UpstreamInput.safeParse(origin).success ? origin : undefined
}

/** Where `proxy_pass` points; undefined if that depends on the request, or is not an address. */
export function passedTo(
  directive: Directive,
  upstreams: ReadonlyMap<string, Origins>,
  note: Note,
): Passed | undefined {
  const [url = ''] = directive.args
  const [, scheme = '', host = '', path = ''] = /^(https?):\/\/([^/?#]+)(.*)$/i.exec(url) ?? []
  if (url.includes('$')) {
    note('variable', directive)
    return undefined
  }
  const tls = scheme.toLowerCase() === 'https'
  const named = upstreams.get(host)
  const single = named ? undefined : originOf(host, tls ? 443 : 80)
  const origins = named ?? (single && { upstreams: [single], balance: balances.roundRobin })
  if (!origins || origins.upstreams.length === 0) {
    note('origin', directive)
    return undefined
  }
  const withTls = origins.upstreams.map((origin) => ({
    ...origin,
    ...(tls && { tls, port: named && !hasPort(origin) ? 443 : origin.port }),
  }))
  return {
    origins: { ...origins, upstreams: withTls },
    path,
    key: `${scheme}://${host}`,
    isNamed: !named && /\.[a-z]/i.test(host),
    place: directive,
  }
}

/** For an upstream over TLS, port 80 means that none was specified. nginx would use it, and fail. */
const hasPort = ({ port }: Origin): boolean => port !== 80
