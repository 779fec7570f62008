/**
 * Follows the feed: pulls when woken, hands pending entries to nginx, retries refused sites, and cleans up. One loop
 * does one thing at a time.
 */
import { z } from 'zod'
import { applier } from './apply.ts'
import type { BrokenSites } from './broken-sites.ts'
import { Refused } from './control-plane.ts'
import { isFull } from './files.ts'
import type { GarbageCollect } from './garbage-collect.ts'
import { log, reasonOf } from './log.ts'
import { type Nginx, NginxAway } from './nginx.ts'
import { type Pulling, pull, stageEntries } from './pull.ts'
import { repair } from './repair.ts'
import type { Reporter } from './report.ts'
import { backoff, type Doorbell, everySecond, pause } from './retry.ts'
import { writeState } from './state.ts'

const POLL_MS = 30_000
const RETRY_REFUSED_MS = 60_000
const GARBAGE_COLLECT_MS = 600_000
const REPAIR_MS = 24 * 3_600_000
const WATCH_MS = 1000

export type FeedSync = Omit<Pulling, 'applier'> & {
  nginx: Nginx
  garbageCollect: GarbageCollect
  reporter: Reporter
  broken: BrokenSites
}

/** Describes a malformed reply in one line; the schema's own message would fill a page. */
function sayRefusal(error: unknown): string {
  if (!(error instanceof z.ZodError)) return reasonOf(error)
  const [issue] = error.issues
  return `a reply of the wrong shape: ${issue?.path.join('.') || 'it'}: ${issue?.message}`
}

/** Runs until the signal is aborted. `bell` rings when the control plane has news. */
export async function syncFeed(parts: FeedSync, bell: Doorbell, signal: AbortSignal): Promise<void> {
  const { nginx, feedLog, state, reporter } = parts
  const node: Pulling = { ...parts, applier: applier(nginx, feedLog, state, parts.configure) }
  // Entries that nginx may not have received before the agent was last stopped.
  const configuration = parts.configure.waiting()
  if (configuration !== undefined) node.applier.add([configuration])
  node.applier.add(feedLog.since(state.watermark))
  const pulls = backoff(1000, 30_000)
  const flushes = backoff(100, 2000)
  const due = { pull: 0, flush: 0, retry: Date.now() + RETRY_REFUSED_MS, garbageCollect: 0, repair: 0 }
  let master: number | undefined

  async function flush() {
    try {
      const gone = await node.applier.flush()
      for (const site of gone) await parts.secrets.removeSite(site)
      if (gone.length > 0) due.garbageCollect = 0
      flushes.succeeded()
    } catch (error) {
      if (!(error instanceof NginxAway)) throw error
      due.flush = Date.now() + flushes.failed()
      log.debug('nginx is away; it reads the feed from disk when it starts', { reason: reasonOf(error) })
    }
    await writeState(parts.layout, state)
    reporter.changed()
  }

  async function pullNow() {
    try {
      // Jittered, so that nodes started together do not poll together.
      due.pull = Date.now() + POLL_MS * (0.8 + 0.4 * Math.random())
      await pull(node, flush)
      pulls.succeeded()
      state.problem = undefined
    } catch (error) {
      const asked = error instanceof Refused ? error.retryAfterMs : 0
      // A full disk is a local problem that needs no back-off: a quick retry makes use of freed space.
      due.pull = Date.now() + (isFull(error) ? WATCH_MS : asked + pulls.failed())
      state.problem = sayRefusal(error)
      log.warn('cannot pull', { reason: state.problem })
    }
    reporter.changed()
  }

  /** A restarted nginx has read the feed from disk; entries that it lacks are queued for it again. */
  async function watch() {
    const now = nginx.master()
    if (now === undefined || now === master) return
    try {
      const seen = await nginx.state()
      parts.broken.note(seen)
      node.applier.add(feedLog.since(seen.sequence).filter(({ site }) => !node.applier.waiting.has(site)))
      master = now
    } catch (error) {
      log.debug('nginx does not answer yet', { reason: reasonOf(error) })
    }
  }

  async function tryRefused() {
    due.retry = Date.now() + RETRY_REFUSED_MS * (0.5 + Math.random())
    const entries = state.exceptions.flatMap(({ retry }) => (retry ? [retry] : []))
    if (entries.length === 0) return
    // Objects that were intact when checked may be damaged by now.
    parts.objects.checked.clear()
    await stageEntries(node, entries)
    await flush()
  }

  /** Fetches sites that nginx could not read again and hands them over; those that still fail become exceptions. */
  async function heal() {
    const broken = parts.broken.take()
    if (broken.size === 0) return
    parts.objects.checked.clear()
    const entries = [...broken].flatMap(([site, reason]) => {
      log.warn('nginx cannot read a site from disk', { site, reason })
      return feedLog.held.get(site) ?? []
    })
    await repair(entries, node).catch((error) => log.warn('cannot fetch it again yet', { reason: reasonOf(error) }))
    node.applier.add(entries.filter(({ site }) => !node.applier.waiting.has(site)))
    await flush()
  }

  async function tidy() {
    due.garbageCollect = Date.now() + GARBAGE_COLLECT_MS
    if (node.applier.waiting.size > 0) return
    await feedLog.compact()
    await parts.garbageCollect()
  }

  async function repairNow() {
    due.repair = Date.now() + REPAIR_MS
    await repair([...feedLog.held.values()], node).catch((error) => {
      due.repair = Date.now() + RETRY_REFUSED_MS
      log.debug('cannot look after the objects on disk', { reason: reasonOf(error) })
    })
  }

  async function round() {
    await watch()
    await heal()
    if (node.applier.waiting.size > 0 && Date.now() >= due.flush) await flush()
    if (Date.now() >= due.pull) await pullNow()
    if (Date.now() >= due.retry) await tryRefused()
    if (Date.now() >= due.repair) await repairNow()
    if (Date.now() >= due.garbageCollect) await tidy()
  }

  while (!signal.aborted) {
    try {
      await round()
    } catch (error) {
      // A full disk, for example. Completed steps are on disk, and the others are repeated.
      log.error('following the feed failed; trying again', { reason: reasonOf(error) })
      await pause(1000 * (0.5 + Math.random()), signal)
    }
    const next = node.applier.waiting.size > 0 ? Math.min(due.flush, due.pull) : due.pull
    const left = Math.max(0, next - Date.now())
    if (await bell.wait(left < WATCH_MS ? left : everySecond, signal)) due.pull = 0
  }
}
