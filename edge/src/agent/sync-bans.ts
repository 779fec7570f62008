/** Shares bans: reports those that this node began, and requests those of other nodes when woken and periodically. */
import { BanChange, BansReply, banSitesMax, bansSignatureText } from '@breakwater/contract/edge/bans.ts'
import { errors } from '@breakwater/contract/errors.ts'
import { z } from 'zod'
import type { BegunBans } from './begun-bans.ts'
import { type ControlPlane, Refused } from './control-plane.ts'
import { type HeldBans, keyOfBan } from './held-bans.ts'
import type { Identity } from './identity.ts'
import { log, reasonOf } from './log.ts'
import { hashOf } from './objects.ts'
import { backoff, type Doorbell } from './retry.ts'
import { requireSignature } from './signatures.ts'

const POLL_MS = 30_000
/** How often nginx's log is read, and bans that nginx could not be sent are sent again. */
const LOOK_MS = 300

export type BanParts = {
  identity: Pick<Identity, 'nodeId' | 'signingKeys'>
  plane: Pick<ControlPlane, 'get'>
  held: HeldBans
  begun: BegunBans
  /**
   * Receives the networks that are never dropped; undefined if the control plane refuses this node, for example because
   * it was removed.
   */
  spare: (networks: readonly string[] | undefined) => Promise<void>
  /** The sites that this node serves. */
  served: () => Iterable<number>
}

/** Runs until the signal is aborted. `bell` rings when the control plane has news. */
export async function syncBans(parts: BanParts, bell: Doorbell, signal: AbortSignal): Promise<void> {
  const { held, begun } = parts
  const pulls = puller(parts)
  const waits = backoff(500, 30_000)
  let dueAt = 0
  let retryAt = 0
  while (!signal.aborted) {
    try {
      await begun.keep()
      if (Date.now() >= retryAt) {
        await begun.tell()
        if (Date.now() >= dueAt) {
          // Jittered, so that nodes started together do not poll together.
          const next = Date.now() + POLL_MS * (0.8 + 0.4 * Math.random())
          await pulls.news()
          dueAt = next
        }
        await pulls.newSites()
        waits.succeeded()
      }
    } catch (error) {
      if (error instanceof Refused && error.code === errors.credentialRefused.code) await parts.spare(undefined)
      retryAt = Date.now() + waits.failed() + (error instanceof Refused ? error.retryAfterMs : 0)
      log.warn('bans are not in step with the other nodes', { reason: reasonOf(error) })
    }
    await held.tell().catch((error) => log.error('nginx does not take bans', { reason: reasonOf(error) }))
    if (await bell.wait(LOOK_MS, signal)) dueAt = 0
  }
}

function puller({ identity, plane, held, begun, served, spare }: BanParts) {
  let epoch = 0
  /** Undefined until all bans were read once since the start of the agent. */
  let after: number | undefined
  let known = new Set<number>()

  /** Reads all pages from a sequence on; calls `each` with the changes of each page. */
  async function read(from: number, sites: readonly number[], each: (changes: readonly BanChange[]) => void) {
    let asked = from
    for (;;) {
      const reply = await plane.get(`/bans?after=${asked}&sites=${sites.join(',')}&zone=1`, BansReply)
      const signed = [reply.bans, ...(reply.spared === undefined ? [] : [reply.spared])].map(hashOf)
      const text = bansSignatureText(identity.nodeId, asked, reply, ...signed)
      requireSignature(identity.signingKeys, reply.signature, text)
      if (reply.spared !== undefined) await spare(z.array(z.string()).parse(JSON.parse(reply.spared)))
      const changes = z.array(BanChange).parse(JSON.parse(reply.bans))
      await held.take(changes)
      each(changes)
      asked = reply.after
      if (!reply.more) return reply
    }
  }

  /**
   * Reads all bans in force. Other bans on this node were lifted while it was offline, except for those that it has not
   * reported yet.
   */
  async function readAll() {
    const sites = new Set(served())
    const seen = new Set<string>()
    const last = await read(0, [], (changes) => {
      for (const change of changes) seen.add(keyOfBan(change))
    })
    for (const key of begun.waiting()) seen.add(key)
    const lifted = held.all().filter((one) => !seen.has(keyOfBan(one)))
    await held.take(lifted.map(({ site, address }) => ({ site, address, seconds: 0 })))
    epoch = last.epoch
    after = last.after
    known = sites
  }

  return {
    async news() {
      if (after === undefined) return readAll()
      const reply = await read(after, [], () => {})
      if (reply.epoch === epoch) after = reply.after
      else await readAll()
    },

    /** Reads bans that sites had before this node began to serve them. */
    async newSites() {
      if (after === undefined) return
      const now = new Set(served())
      const fresh = [...now].filter((site) => site !== 0 && !known.has(site))
      for (let at = 0; at < fresh.length; at += banSitesMax) await read(0, fresh.slice(at, at + banSitesMax), () => {})
      known = now
    },
  }
}
