/**
 * The table of this node in the kernel's packet filter (nftables), as texts for `nft`. Pure. It drops packets of banned
 * addresses to the node's own ports and nothing else: answers of origins and of the control plane come to other ports.
 */
import { formatRange, parseRange } from '@breakwater/contract/addresses.ts'
import { mergeRanges } from '@breakwater/contract/edge/ip-set.ts'

/** What the kernel shall hold. Texts of networks are canonical and do not overlap (`networksOf`); ends of bans are epoch seconds. */
export type KernelDrops = {
  ports: readonly number[]
  /** Never dropped. */
  spared: readonly string[]
  refused: readonly string[]
  bans: ReadonlyMap<string, number>
}

/** Of one machine a port is one node's: two nodes there have tables of their own. */
export const tableOf = (httpPort: number): string => `inet breakwater_${httpPort}`

/** Joins what overlaps, as sets of intervals need it; what is no network is left out. */
export function networksOf(texts: readonly string[]): string[] {
  const ranges = texts.flatMap((text) => parseRange(text) ?? [])
  return ([4, 6] as const).flatMap((family) =>
    mergeRanges(ranges.filter((range) => range.family === family)).map(formatRange),
  )
}

const isV6 = (text: string) => text.includes(':')
/** A ban of IPv6 is of a /64, which the set knows by its first address. */
const elementOf = (address: string) => address.replace('/64', '')

const intervals = ['spared4', 'spared6', 'refused4', 'refused6'] as const
type IntervalSet = (typeof intervals)[number]

const rules = [
  'iifname lo accept',
  'meta l4proto != { tcp, udp } accept',
  'th dport != @ports accept',
  'ip saddr @spared4 accept',
  'ip6 saddr @spared6 accept',
  'ip saddr @banned4 counter name dropped drop',
  'ip6 saddr and ffff:ffff:ffff:ffff:: @banned6 counter name dropped drop',
  'ip saddr @refused4 counter name dropped drop',
  'ip6 saddr @refused6 counter name dropped drop',
]
export const ruleCount = rules.length

/** Makes what is not there yet; the sets keep what they hold. */
export function opening(table: string): string {
  const typeOf = (set: string) => (set.endsWith('4') ? 'ipv4_addr' : 'ipv6_addr')
  return [
    `add table ${table}`,
    `add counter ${table} dropped`,
    `add set ${table} ports { type inet_service; }`,
    ...intervals.map((set) => `add set ${table} ${set} { type ${typeOf(set)}; flags interval; }`),
    ...['banned4', 'banned6'].map((set) => `add set ${table} ${set} { type ${typeOf(set)}; flags timeout; }`),
    `add chain ${table} input { type filter hook input priority -10; policy accept; }`,
    `flush chain ${table} input`,
    ...rules.map((rule) => `add rule ${table} input ${rule}`),
    '',
  ].join('\n')
}

/** Removes all of it, whether or not it is there. */
export const removal = (table: string): string => `add table ${table}\ndelete table ${table}\n`

const add = (table: string, set: string, elements: readonly string[]) =>
  elements.length === 0 ? [] : [`add element ${table} ${set} { ${elements.join(', ')} }`]
const remove = (table: string, set: string, elements: readonly string[]) =>
  elements.length === 0 ? [] : [`delete element ${table} ${set} { ${elements.join(', ')} }`]

/** Networks have no ends: their sets are replaced whole. */
function networkLines(table: string, held: KernelDrops, wanted: KernelDrops): string[] {
  const contents = ({ spared, refused }: KernelDrops): Record<IntervalSet, string[]> => ({
    spared4: spared.filter((text) => !isV6(text)),
    spared6: spared.filter(isV6),
    refused4: refused.filter((text) => !isV6(text)),
    refused6: refused.filter(isV6),
  })
  const [old, now] = [contents(held), contents(wanted)]
  const changed = intervals.filter((set) => old[set].join() !== now[set].join())
  return changed.flatMap((set) => [`flush set ${table} ${set}`, ...add(table, set, now[set])])
}

/** Seconds by which the end of a ban in the kernel may differ. */
const sameSeconds = 5

function banLines(table: string, held: KernelDrops, wanted: KernelDrops, now: number): string[] {
  const lines: string[] = []
  const news = [...wanted.bans].filter(([address, until]) => {
    const known = held.bans.get(address)
    return until > now && (known === undefined || Math.abs(known - until) > sameSeconds)
  })
  const gone = [...held.bans].flatMap(([address, until]) => (until > now && !wanted.bans.has(address) ? [address] : []))
  for (const set of ['banned4', 'banned6']) {
    const isIn = (address: string) => isV6(address) === (set === 'banned6')
    const timed = news
      .filter(([address]) => isIn(address))
      .map(([address, until]) => {
        return `${elementOf(address)} timeout ${Math.ceil(until - now)}s`
      })
    const changed = news.filter(([address]) => isIn(address) && held.bans.has(address)).map(([address]) => address)
    // Before Linux 6.12 a timeout is not changed by adding again. What is over meanwhile cannot be deleted: it is added first.
    const leaving = [...gone.filter(isIn), ...changed].map(elementOf)
    lines.push(
      ...add(
        table,
        set,
        leaving.map((element) => `${element} timeout 60s`),
      ),
      ...remove(table, set, leaving),
    )
    lines.push(...add(table, set, timed))
  }
  return lines
}

/** The lines that make what is held what is wanted; empty where nothing differs. `now` in epoch seconds. */
export function changes(table: string, held: KernelDrops, wanted: KernelDrops, now: number): string {
  const ports =
    held.ports.join() === wanted.ports.join()
      ? []
      : [`flush set ${table} ports`, ...add(table, 'ports', wanted.ports.map(String))]
  const lines = [...ports, ...networkLines(table, held, wanted), ...banLines(table, held, wanted, now)]
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`
}

export const nothingHeld: KernelDrops = { ports: [], spared: [], refused: [], bans: new Map() }
