/**
 * What nodes told within a second, for the others that tell of the same: in memory, as it is of no use later. Each process
 * of the node API knows of the nodes that ask it.
 */
import { type KeyTally, type SiteTally, tallyKeysMax, tallySitesMax } from '@breakwater/contract/edge/tallies.ts'

/** A node that has not told of a thing for so long is not told of it any more. */
const holdMs = 60_000
const sweepMs = 10_000
/** Tellings that wait for a node which does not come; more are not kept. */
const waitingMax = 20_000

type Sum = { amounts: number[]; seconds: number }

/** One kind of thing by its name. What a node tells waits for each other node that told of it within the last minute. */
class Shares {
  private readonly holders = new Map<string, Map<number, number>>()
  private readonly waiting = new Map<number, Map<string, Sum>>()

  tell(node: number, name: string, amounts: readonly number[], seconds: number, now: number): void {
    const holders = this.holders.get(name) ?? new Map<number, number>()
    this.holders.set(name, holders)
    holders.set(node, now)
    for (const [other, at] of holders) {
      if (other === node || now - at > holdMs) continue
      const box = this.waiting.get(other) ?? new Map<string, Sum>()
      this.waiting.set(other, box)
      const sum = box.get(name)
      if (sum) sum.amounts = sum.amounts.map((amount, at) => amount + amounts[at]!)
      else if (box.size < waitingMax) box.set(name, { amounts: [...amounts], seconds })
    }
  }

  /** What waits for a node: the most first, and no more than it takes. */
  take(node: number, max: number): [name: string, sum: Sum][] {
    const box = this.waiting.get(node)
    this.waiting.delete(node)
    const all = box ? [...box] : []
    return all.length <= max ? all : all.sort(([, a], [, b]) => b.amounts[0]! - a.amounts[0]!).slice(0, max)
  }

  sweep(now: number): void {
    for (const [name, holders] of this.holders) {
      for (const [node, at] of holders) if (now - at > holdMs) holders.delete(node)
      if (holders.size === 0) this.holders.delete(name)
    }
  }

  forget(node: number): void {
    this.waiting.delete(node)
  }
}

export class TallyExchange {
  private readonly sites = new Shares()
  private readonly keys = new Shares()
  private readonly seen = new Map<number, { at: number; zone: number }>()
  private sweptAt = 0

  /** Takes what a node told, and answers what waits for it. `now` is in ms. */
  exchange(
    { id: node, zoneId: zone }: { id: number; zoneId: number },
    told: { sites: readonly SiteTally[]; keys: readonly KeyTally[] },
    now = Date.now(),
  ): { nodes: number; sites: SiteTally[]; keys: KeyTally[] } {
    this.seen.set(node, { at: now, zone })
    this.sweep(now)
    for (const { site, requests, asked, failures } of told.sites)
      this.sites.tell(node, String(site), [requests, asked, failures], 0, now)
    for (const { key, amount, seconds } of told.keys) this.keys.tell(node, `${seconds} ${key}`, [amount], seconds, now)
    return {
      nodes: [...this.seen.values()].filter((other) => other.zone === zone).length,
      sites: this.sites.take(node, tallySitesMax).map(([site, { amounts }]) => {
        const [requests = 0, asked = 0, failures = 0] = amounts
        return { site: Number(site), requests, asked, failures }
      }),
      keys: this.keys.take(node, tallyKeysMax).map(([name, { amounts, seconds }]) => {
        return { key: name.slice(name.indexOf(' ') + 1), amount: amounts[0]!, seconds }
      }),
    }
  }

  private sweep(now: number): void {
    if (now - this.sweptAt < sweepMs) return
    this.sweptAt = now
    this.sites.sweep(now)
    this.keys.sweep(now)
    for (const [node, { at }] of this.seen) {
      if (now - at <= holdMs) continue
      this.seen.delete(node)
      this.sites.forget(node)
      this.keys.forget(node)
    }
  }
}
