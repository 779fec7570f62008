/**
 * Passes tallies that a node reported within a second to the other nodes that report the same thing: in memory, as they
 * are useless later. Each process of the node API only knows the nodes that call it.
 */
import { type KeyTally, type SiteTally, tallyKeysMax, tallySitesMax } from '@breakwater/contract/edge/tallies.ts'

/**
 * A node that has not reported a thing for this long, or for the length of its window, no longer gets the others'
 * tallies.
 */
const holdMs = 60_000
const sweepMs = 10_000
/** Tallies waiting for a node that does not call; more are dropped. */
const waitingMax = 20_000

/** Names that are remembered; any further name is not shared. */
const namesMax = 200_000

type Sum = { amounts: number[]; seconds: number }
/** Which nodes reported a name, when last, and for a window how much since it began. */
type Told = { since: number; lastsMs: number; nodes: Map<number, { at: number; amounts: number[] }> }

const added = (a: readonly number[], b: readonly number[]): number[] => a.map((amount, at) => amount + b[at]!)

/**
 * One kind of thing, by name. A node's tallies wait for each other node that reported the same name within the last
 * minute, or the window.
 */
class Shares {
  private readonly told = new Map<string, Told>()
  private readonly waiting = new Map<number, Map<string, Sum>>()

  tell(node: number, name: string, amounts: readonly number[], seconds: number, now: number): void {
    const told = this.toldOf(name, seconds, now)
    if (told === undefined) return
    const own = told.nodes.get(node)
    if (seconds > 0 && own === undefined)
      // The window had already begun on other nodes before this node reported it.
      for (const other of told.nodes.values()) this.wait(node, name, other.amounts, seconds)
    for (const [other, { at }] of told.nodes)
      if (other !== node && now - at <= told.lastsMs) this.wait(other, name, amounts, seconds)
    told.nodes.set(node, { at: now, amounts: own ? added(own.amounts, amounts) : [...amounts] })
  }

  private toldOf(name: string, seconds: number, now: number): Told | undefined {
    const known = this.told.get(name)
    const isOver = known !== undefined && seconds > 0 && now - known.since > seconds * 1000
    if (known !== undefined && !isOver) return known
    if (known === undefined && this.told.size >= namesMax) return undefined
    const told: Told = { since: now, lastsMs: Math.max(holdMs, seconds * 1000), nodes: new Map() }
    this.told.set(name, told)
    return told
  }

  private wait(node: number, name: string, amounts: readonly number[], seconds: number): void {
    const box = this.waiting.get(node) ?? new Map<string, Sum>()
    this.waiting.set(node, box)
    const sum = box.get(name)
    if (sum) sum.amounts = added(sum.amounts, amounts)
    else if (box.size < waitingMax) box.set(name, { amounts: [...amounts], seconds })
  }

  /** What is waiting for a node: the largest first, limited to what it accepts. */
  take(node: number, max: number): [name: string, sum: Sum][] {
    const box = this.waiting.get(node)
    this.waiting.delete(node)
    const all = box ? [...box] : []
    return all.length <= max ? all : all.sort(([, a], [, b]) => b.amounts[0]! - a.amounts[0]!).slice(0, max)
  }

  sweep(now: number): void {
    for (const [name, { nodes, lastsMs }] of this.told) {
      for (const [node, { at }] of nodes) if (now - at > lastsMs) nodes.delete(node)
      if (nodes.size === 0) this.told.delete(name)
    }
  }

  forget(node: number): void {
    this.waiting.delete(node)
  }
}

export class TallyExchange {
  private readonly sites = new Shares()
  private readonly keys = new Shares()
  private readonly seen = new Map<number, number>()
  private sweptAt = 0

  /** Takes a node's tallies, and returns what is waiting for it. `now` is in ms. */
  exchange(
    node: number,
    told: { sites: readonly SiteTally[]; keys: readonly KeyTally[] },
    now = Date.now(),
  ): { sites: SiteTally[]; keys: KeyTally[] } {
    this.seen.set(node, now)
    this.sweep(now)
    for (const { site, requests, asked, failures } of told.sites)
      this.sites.tell(node, String(site), [requests, asked, failures], 0, now)
    for (const { key, amount, seconds } of told.keys) this.keys.tell(node, `${seconds} ${key}`, [amount], seconds, now)
    return {
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
    for (const [node, at] of this.seen) {
      if (now - at <= holdMs) continue
      this.seen.delete(node)
      this.sites.forget(node)
      this.keys.forget(node)
    }
  }
}
