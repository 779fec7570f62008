/**
 * Shares tallies among the nodes of a site once a second: reads nginx's, sends them to the control plane, and passes
 * those of the other nodes to nginx. Decides by the sums over all nodes which sites are under attack. While there are no
 * other nodes, or the control plane is unreachable, it decides by this node's traffic only.
 */
import {
  type KeyTally,
  type NodeTallies,
  type SiteTally,
  TalliesReply,
  tallyKeysMax,
  tallySitesMax,
} from '@breakwater/contract/edge/tallies.ts'
import { newWatch, type SiteWatch, watchSecond } from './attack-watch.ts'
import type { ControlPlane } from './control-plane.ts'
import { log, reasonOf } from './log.ts'
import { type Nginx, NginxAway } from './nginx.ts'
import { backoff, everySecond, pause } from './retry.ts'

/**
 * How often the only node of its sites sends tallies, to learn whether it is still the only one. Attacks, and sites whose
 * usual rate it does not know, are told at once.
 */
const ALONE_MS = 15_000
/** Above this many watched sites, those not under attack are forgotten, with their usual rates. */
const WATCHED_MAX = 20_000

type Watched = SiteWatch & { threshold: number; usual: number | undefined }
type Others = { sites: Map<number, SiteTally>; keys: KeyTally[] }

export type TallyParts = { nginx: Pick<Nginx, 'tallies'>; plane: Pick<ControlPlane, 'post'> }

/** Runs until the signal is aborted. */
export async function syncTallies(parts: TallyParts, signal: AbortSignal): Promise<void> {
  const turn = turns(parts)
  while (!signal.aborted) {
    try {
      await turn()
    } catch (error) {
      if (!(error instanceof NginxAway)) log.error('nginx does not tell what it counts', { reason: reasonOf(error) })
    }
    await pause(everySecond, signal)
  }
}

function turns({ nginx, plane }: TallyParts): () => Promise<void> {
  const watched = new Map<number, Watched>()
  const waits = backoff(500, 30_000)
  let others: Others = { sites: new Map(), keys: [] }
  let isFirst = true
  let aloneUntil = 0
  let retryAt = 0
  let hadAttacks = true

  const attacks = () => [...watched.values()].flatMap(({ attack }) => attack ?? [])

  /** Advances all watches by one second, with the traffic of this node and of the others. */
  function decide(own: readonly (SiteTally & { threshold: number })[]) {
    const here = new Map(own.map((tally) => [tally.site, tally]))
    for (const { site, threshold } of own) {
      const known = watched.get(site)
      if (known) known.threshold = threshold
      else watched.set(site, { ...newWatch(), threshold, usual: undefined })
    }
    for (const [site, watch] of watched) {
      const [a, b] = [here.get(site), others.sites.get(site)]
      const sum = (field: 'requests' | 'asked' | 'failures') => (a?.[field] ?? 0) + (b?.[field] ?? 0)
      const second = { requests: sum('requests'), asked: sum('asked'), failures: sum('failures') }
      const was = watch.attack
      watchSecond(watch, site, { ...second, threshold: watch.threshold, usual: watch.usual }, Date.now() / 1000)
      if (was !== watch.attack)
        log.info(watch.attack ? 'a site is under attack' : 'an attack is over', { site, ...was })
    }
    if (watched.size > WATCHED_MAX) for (const [site, { attack }] of watched) if (!attack) watched.delete(site)
  }

  async function tell(told: NodeTallies) {
    const isAsked = Date.now() >= aloneUntil || told.sites.some(({ site }) => watched.get(site)?.usual === undefined)
    const isNews = isAsked && (told.sites.length > 0 || told.keys.length > 0)
    others = { sites: new Map(), keys: [] }
    if (!(isNews || told.attacks.length > 0 || hadAttacks) || Date.now() < retryAt) return
    try {
      const reply = await plane.post('/tallies', told, TalliesReply)
      waits.succeeded()
      hadAttacks = told.attacks.length > 0
      aloneUntil = reply.nodes > 1 ? 0 : Date.now() + ALONE_MS
      others = { sites: new Map(reply.sites.map((tally) => [tally.site, tally])), keys: reply.keys }
      for (const { site, rate } of reply.usual) {
        const watch = watched.get(site)
        if (watch) watch.usual = rate
      }
    } catch (error) {
      retryAt = Date.now() + waits.failed()
      log.warn('this node counts for itself', { reason: reasonOf(error) })
    }
  }

  return async () => {
    const now = attacks().map(({ site }) => site)
    const found = await nginx.tallies({ ...(isFirst ? {} : { attacks: now }), keys: others.keys })
    if (isFirst) for (const site of found.attacks) watched.set(site, takenOver(site))
    isFirst = false
    decide(found.sites)
    const keys = Date.now() < aloneUntil ? [] : found.keys.sort((a, b) => b.amount - a.amount).slice(0, tallyKeysMax)
    const sites = found.sites.sort((a, b) => b.requests - a.requests).slice(0, tallySitesMax)
    await tell({
      sites: sites.map(({ site, requests, asked, failures }) => ({ site, requests, asked, failures })),
      keys,
      attacks: attacks()
        .slice(0, tallySitesMax)
        .map(({ site, reason, rate, limit }) => ({ site, reason, rate, limit })),
    })
  }
}

/** An attack that nginx knows from the previous agent process. Its start is unknown, so it is treated as a new one. */
function takenOver(site: number): Watched {
  const attack = { site, reason: 'requests' as const, rate: 0, limit: 0, beganAt: Date.now() / 1000, holds: 120 }
  return { ...newWatch(), attack, threshold: 0, usual: undefined }
}
