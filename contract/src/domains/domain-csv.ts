/**
 * Domains as a CSV file: an import reads an export back unchanged. `cert` and `cname` are for information only. All
 * origins of a domain are in one cell, separated by spaces.
 */
import { readCsv } from '../csv.ts'
import type { Domain, UpstreamInput } from './domains.ts'

export const domainColumns = [
  'name',
  'status',
  'scheme',
  'origins',
  'tags',
  'cert',
  'cname',
  'balance',
  'ports',
] as const
type Column = (typeof domainColumns)[number]

/** `https://192.0.2.1:443;weight=3;backup;disabled;memo=left` */
export function originText({ ip, port, tls, weight, backup, enabled, memo }: UpstreamInput): string {
  const host = ip.includes(':') ? `[${ip}]` : ip
  const options = [
    ...(weight === 1 ? [] : [`weight=${weight}`]),
    ...(backup ? ['backup'] : []),
    ...(enabled ? [] : ['disabled']),
    ...(memo === '' ? [] : [`memo=${encodeURIComponent(memo)}`]),
  ]
  return [`${tls ? 'https' : 'http'}://${host}:${port}`, ...options].join(';')
}

const escaped = (tag: string) => tag.replaceAll('\\', '\\\\').replaceAll('|', '\\|')

type Exported = Omit<Domain, 'certStatus'>

/** The cells of a domain in the order of `domainColumns`. */
export const domainCells = (domain: Exported, certificate = ''): string[] => [
  domain.name,
  String(domain.status),
  String(domain.scheme),
  domain.upstreams.map(originText).join(' '),
  domain.tags.map(escaped).join('|'),
  certificate,
  domain.cname,
  String(domain.balance),
  Object.entries(domain.portMap)
    .map(([from, to]) => `${from}:${to}`)
    .join(' '),
]

/**
 * Reads a pasted or exported file. Without a header line, each line is a name, and its origins if there is a second
 * cell.
 */
export function readDomains(text: string): DomainText[] {
  const [head, ...rest] = readCsv(text)
  if (!head) return []
  const isHead = head.some((one) => one.trim().toLowerCase() === 'name')
  const columns = isHead ? head.map((one) => one.trim().toLowerCase()) : ['name', 'origins']
  return (isHead ? rest : [head, ...rest]).map((cells) => {
    const of = (column: Column): string | undefined => {
      const value = cells[columns.indexOf(column)]?.trim()
      return value === '' ? undefined : value
    }
    return domainOf(of)
  })
}

/** A domain as it was read; the schema of the call reports anything wrong with it. */
export type DomainText = { name: string; upstreams: Partial<UpstreamInput>[] } & Partial<{
  tags: string[]
  portMap: Record<string, number>
}> & { status?: number; scheme?: number; balance?: number }

function domainOf(of: (column: Column) => string | undefined): DomainText {
  const number = (column: Column) => (of(column) === undefined ? undefined : Number(of(column)))
  const [status, scheme, balance] = [number('status'), number('scheme'), number('balance')]
  return {
    name: of('name') ?? '',
    upstreams: (of('origins') ?? '')
      .split(/\s+/)
      .filter((origin) => origin !== '')
      .map(originOf),
    ...(of('tags') !== undefined && { tags: tagsOf(of('tags')!) }),
    ...(status !== undefined && { status }),
    ...(scheme !== undefined && { scheme }),
    ...(balance !== undefined && { balance }),
    ...(of('ports') !== undefined && { portMap: portMapOf(of('ports')!) }),
  }
}

/**
 * `80:8080 443:8443`. Anything that is not a pair, or repeats a port, becomes NaN, which the schema rejects at that
 * port.
 */
function portMapOf(text: string): Record<string, number> {
  const map: Record<string, number> = {}
  for (const pair of text.split(/\s+/)) {
    const [from = '', to, ...more] = pair.split(':')
    map[from] = more.length > 0 || from in map ? Number.NaN : Number(to)
  }
  return map
}

const tagsOf = (text: string): string[] =>
  [...text.matchAll(/((?:\\.|[^\\|])+)(?:\||$)/g)].map(([, tag = '']) => tag.replace(/\\(.)/g, '$1'))

/** Parses an origin as people write it: an address or name, with a port and a scheme if they differ from HTTP. */
export function originOf(text: string): Partial<UpstreamInput> {
  const [address = '', ...options] = text.split(';')
  const [, scheme, rest = ''] = /^(?:(https?):\/\/)?(.*?)\/?$/i.exec(address) ?? []
  const { host, port } = placeOf(rest)
  const tls = scheme?.toLowerCase() === 'https' || (scheme === undefined && port === '443')
  const option = (name: string) => options.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1)
  const weight = option('weight')
  const memo = option('memo')
  return {
    ip: host,
    port: port === undefined ? (tls ? 443 : 80) : Number(port),
    tls,
    ...(weight !== undefined && { weight: Number(weight) }),
    ...(options.includes('backup') && { backup: true }),
    ...(options.includes('disabled') && { enabled: false }),
    ...(memo !== undefined && { memo: unescapedMemo(memo) }),
  }
}

/** Host and port; an IPv6 address has a port only if it is in brackets. */
function placeOf(text: string): { host: string; port?: string | undefined } {
  const [, bracketed, after] = /^\[([^\]]*)\](?::(\d+))?$/.exec(text) ?? []
  if (bracketed !== undefined) return { host: bracketed, port: after }
  const [, host, port] = /^([^:]*):(\d+)$/.exec(text) ?? []
  return host === undefined ? { host: text } : { host, port }
}

function unescapedMemo(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // Not written by us: a literal percent sign.
    return text
  }
}
