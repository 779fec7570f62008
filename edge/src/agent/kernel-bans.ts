/**
 * Lets the kernel drop packets from addresses that the zone refuses or has banned, if the agent has the permission.
 * Changes are applied in one batch per second; every minute, and at the start, the table is compared with what it
 * should hold. The table outlives the agent, and is removed if nothing is to be dropped.
 */
import { lookup } from 'node:dns/promises'
import { join } from 'node:path'
import type { NodeHealth } from '@breakwater/contract/edge/node-api.ts'
import type { NodeConfiguration } from '@breakwater/contract/edge/node-configuration.ts'
import { zoneWide } from '@breakwater/contract/edge/zone-bans.ts'
import { z } from 'zod'
import { readIfThere, writeDurably } from './files.ts'
import type { HeldBans } from './held-bans.ts'
import { type KernelTable, readListing } from './kernel-listing.ts'
import { changes, type KernelDrops, networksOf, nothingHeld, opening, removal, tableOf } from './kernel-table.ts'
import type { Layout } from './layout.ts'
import { log, reasonOf } from './log.ts'
import type { Nft } from './nft.ts'
import { backoff, everySecond, pause, type Wait } from './retry.ts'
import type { Settings } from './settings.ts'

const EVERY_MS = 1000
const COMPARE_MS = 60_000
const FAILED_MS = 60_000

export type KernelBans = {
  /**
   * Sets the networks that are never dropped, as sent by the control plane; undefined if it refuses this node. Nothing
   * is dropped until they are known.
   */
  spare(networks: readonly string[] | undefined): Promise<void>
  /** Called when the operator's configuration changes. */
  configure(configuration: NodeConfiguration | undefined): void
  /** For the node's health report; undefined while the kernel drops nothing. */
  told(): NodeHealth['kernelBans']
  run(signal: AbortSignal): Promise<void>
}

/** Whether this agent is allowed to fill a table. */
export const mayDrop = ({ kernelBans, httpPort }: Settings, nft: Nft): Promise<boolean> =>
  kernelBans ? nft.would(opening(tableOf(httpPort))) : Promise.resolve(false)

const Networks = z.array(z.string())

export async function kernelBans(
  settings: Settings,
  layout: Layout,
  held: Pick<HeldBans, 'all'>,
  nft: Nft,
  isAble: boolean,
): Promise<KernelBans> {
  const table = tableOf(settings.httpPort)
  const path = join(layout.own, 'spared.json')
  let spared: readonly string[] | undefined = await readSpared(path)
  let configuration: NodeConfiguration | undefined
  /** What the table holds; undefined if unknown, or if there is no table. */
  let known: KernelTable | undefined
  let comparedAt = 0
  let server: string[] = []

  /** Undefined if no table is needed. */
  function wanted(): KernelDrops | undefined {
    if (spared === undefined || configuration === undefined || configuration.kernelBans === false) return undefined
    const { ports, trustedProxies, ipset, anticc, invalidDomainLimitCount, tlsLimitCount } = configuration
    const bans = [anticc, invalidDomainLimitCount, tlsLimitCount].some((limit) => limit !== undefined)
      ? held.all().filter(({ site }) => site === zoneWide)
      : []
    const refused = networksOf(ipset ?? [])
    if (bans.length === 0 && refused.length === 0) return undefined
    const own = [settings.httpPort, settings.httpsPort, ...ports.map(({ port }) => port)]
    return {
      ports: [...new Set(own)].sort((a, b) => a - b),
      spared: networksOf([...spared, ...trustedProxies, ...settings.trustedProxies, ...server]),
      refused,
      bans: new Map(bans.map(({ address, until }) => [address, until])),
    }
  }

  async function compare() {
    const listed = await nft.list(table)
    known = listed === undefined ? undefined : readListing(listed, Date.now() / 1000)
    comparedAt = Date.now()
    server = await addressesOf(settings.server, server)
    return listed !== undefined
  }

  async function step() {
    const isDue = Date.now() - comparedAt >= COMPARE_MS
    const isThere = isDue ? await compare() : known !== undefined
    const drops = wanted()
    if (drops === undefined) {
      if (isThere) await nft.run(removal(table))
      known = undefined
      return
    }
    const lines = changes(table, known ?? nothingHeld, drops, Date.now() / 1000)
    if (known === undefined) await nft.run(`${removal(table)}${opening(table)}${lines}`)
    else if (lines !== '') await nft.run(lines)
    known = { ...drops, packets: known?.packets ?? 0 }
  }

  return {
    async spare(networks) {
      if (networks?.join() === spared?.join()) return
      spared = networks
      await writeDurably(path, JSON.stringify(networks ?? null), layout.private)
    },
    configure(given) {
      configuration = given
    },
    told() {
      if (known === undefined) return undefined
      return { addresses: known.bans.size, networks: known.refused.length, packets: known.packets }
    },
    async run(signal) {
      const waits = backoff(EVERY_MS, FAILED_MS)
      while (isAble && !signal.aborted) {
        let wait: Wait = everySecond
        try {
          await step()
          waits.succeeded()
        } catch (error) {
          // Read what the kernel holds before the next change.
          known = undefined
          comparedAt = 0
          wait = EVERY_MS + waits.failed()
          log.warn('the kernel does not take bans; nginx refuses them', { reason: reasonOf(error) })
        }
        await pause(wait, signal)
      }
    },
  }
}

async function readSpared(path: string): Promise<string[] | undefined> {
  try {
    const text = await readIfThere(path)
    return text === undefined ? undefined : (Networks.nullable().parse(JSON.parse(text.toString('utf8'))) ?? undefined)
  } catch (error) {
    log.warn('the networks that are never dropped are unreadable: they are asked for', { reason: reasonOf(error) })
    return undefined
  }
}

/** The control plane's addresses; the previous ones if its name cannot be resolved now. */
async function addressesOf(server: string | undefined, before: string[]): Promise<string[]> {
  if (server === undefined) return before
  const host = new URL(server).hostname.replace(/^\[|\]$/g, '')
  return lookup(host, { all: true }).then(
    (found) => found.map(({ address }) => address),
    () => before,
  )
}
