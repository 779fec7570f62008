/**
 * This node's table in the kernel's packet filter (nftables), as input for `nft`. Pure. It drops only packets from
 * banned addresses to the node's own ports: replies of origins and of the control plane arrive on other ports.
 */
import { formatRange, parseRange } from '@breakwater/contract/addresses.ts'
import { mergeRanges } from '@breakwater/contract/edge/ip-set.ts'

/** What the kernel should hold. Networks are canonical and disjoint (`networksOf`); bans end at epoch seconds. */
export type KernelDrops = {
  ports: readonly number[]
  /** Never dropped. */
  spared: readonly string[]
  refused: readonly string[]
  bans: ReadonlyMap<string, number>
}

/** On one machine a port belongs to one node, so two nodes on it have separate tables. */
export const tableOf = (httpPort: number): string => `inet breakwater_${httpPort}`

/** Merges overlapping networks, as interval sets require; invalid ones are left out. */
export function networksOf(texts: readonly string[]): string[] {
  const ranges = texts.flatMap((text) => parseRange(text) ?? [])
  return ([4, 6] as const).flatMap((family) =>
    mergeRanges(ranges.filter((range) => range.family === family)).map(formatRange),
  )
}

const isV6 = (text: string) => text.includes(':')
/** An IPv6 ban covers a /64, which the set identifies by its first address. */
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

/** Creates what does not exist yet; existing sets keep their elements. */
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

/** Removes the table, whether or not it exists. */
export const removal = (table: string): string => `add table ${table}\ndelete table ${table}\n`

const add = (table: string, set: string, elements: readonly string[]) =>
  elements.length === 0 ? [] : [`add element ${table} ${set} { ${elements.join(', ')} }`]
const remove = (table: string, set: string, elements: readonly string[]) =>
  elements.length === 0 ? [] : [`delete element ${table} ${set} { ${elements.join(', ')} }`]

/** Networks have no timeouts: their sets are replaced as a whole. */
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

/** Seconds by which the end of a ban in the kernel may be off. */
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
    // Before Linux 6.12, adding an element again does not change its timeout, so it is deleted and added. Deleting an
    // element that has just expired fails, so it is added first.
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

/** The lines that turn `held` into `wanted`; empty if nothing differs. `now` in epoch seconds. */
export function changes(table: string, held: KernelDrops, wanted: KernelDrops, now: number): string {
  const ports =
    held.ports.join() === wanted.ports.join()
      ? []
      : [`flush set ${table} ports`, ...add(table, 'ports', wanted.ports.map(String))]
  const lines = [...ports, ...networkLines(table, held, wanted), ...banLines(table, held, wanted, now)]
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`
}

export const nothingHeld: KernelDrops = { ports: [], spared: [], refused: [], bans: new Map() }
