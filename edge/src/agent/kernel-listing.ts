/** Parses the kernel's listing of this node's table (`nft --json list table`). Pure. */
import { z } from 'zod'
import { type KernelDrops, networksOf, ruleCount } from './kernel-table.ts'

const Text = z.string()
const Element = z.union([
  Text,
  z.number(),
  z.object({ elem: z.object({ val: Text, expires: z.number().optional() }) }),
  z.object({ prefix: z.object({ addr: Text, len: z.number() }) }),
  z.object({ range: z.tuple([Text, Text]) }),
])
const Listing = z.object({
  nftables: z.array(
    z.object({
      set: z.object({ name: Text, elem: z.array(Element).default([]) }).optional(),
      counter: z.object({ packets: z.number() }).optional(),
      rule: z.unknown().optional(),
    }),
  ),
})

/** `packets`: packets dropped since the table was created. */
export type KernelTable = KernelDrops & { packets: number }

function textOf(element: z.output<typeof Element>): string {
  if (typeof element !== 'object') return String(element)
  if ('prefix' in element) return `${element.prefix.addr}/${element.prefix.len}`
  return 'range' in element ? element.range.join('-') : element.elem.val
}

/** Returns undefined if rules of the table are missing: it must be created again. `now` in epoch seconds. */
export function readListing(json: string, now: number): KernelTable | undefined {
  const { nftables } = Listing.parse(JSON.parse(json))
  if (nftables.filter(({ rule }) => rule !== undefined).length !== ruleCount) return undefined
  const sets = new Map(nftables.flatMap(({ set }) => (set ? [[set.name, set.elem] as const] : [])))
  const of = (...names: string[]) => names.flatMap((name) => sets.get(name) ?? [])
  const bans = new Map<string, number>()
  for (const [set, ending] of [
    ['banned4', ''],
    ['banned6', '/64'],
  ] as const)
    for (const element of of(set)) {
      const expires = typeof element === 'object' && 'elem' in element ? (element.elem.expires ?? 0) : 0
      bans.set(`${textOf(element)}${ending}`, now + expires)
    }
  return {
    ports: of('ports')
      .map(Number)
      .sort((a, b) => a - b),
    spared: networksOf(of('spared4', 'spared6').map(textOf)),
    refused: networksOf(of('refused4', 'refused6').map(textOf)),
    bans,
    packets: nftables.find(({ counter }) => counter)?.counter?.packets ?? 0,
  }
}
