/** URLs waiting to be preheated, on disk until their receipts are saved. After a kill some are fetched twice. */
import { join } from 'node:path'
import type { TaskReceipts } from '@breakwater/contract/edge/node-api.ts'
import { z } from 'zod'
import { readIfThere, writeDurably } from './files.ts'
import type { Layout } from './layout.ts'
import { log, reasonOf } from './log.ts'
import { type NodePorts, preheatUrl } from './preheat-fetch.ts'
import { doorbell } from './retry.ts'

/** Concurrent fetches. */
const AT_ONCE = 4
/** The minimum time between saves of receipts, so that a thousand quick URLs do not cause a thousand writes. */
const KEEP_MS = 500
const IDLE_MS = 60_000

const WaitingUrl = z.object({ id: z.number().int(), site: z.number().int(), url: z.string() })
export type WaitingUrl = z.output<typeof WaitingUrl>
type Receipt = z.output<typeof TaskReceipts>['receipts'][number]

export type Preheats = {
  /** Adds URLs; they are on disk when it resolves. Known ones are not added twice. */
  add(urls: readonly WaitingUrl[]): Promise<void>
  /** Fetches the waiting URLs. `keep` must have written the receipts to disk when it resolves. */
  run(keep: (receipts: readonly Receipt[]) => Promise<void>, signal: AbortSignal): Promise<void>
}

/** The next URL, of the site with the fewest running fetches, so that a long list does not delay other sites. */
export function nextUrl(
  waiting: readonly WaitingUrl[],
  busy: ReadonlyMap<number, WaitingUrl>,
  fetched: ReadonlySet<number>,
): WaitingUrl | undefined {
  const running = new Map<number, number>()
  for (const { site } of busy.values()) running.set(site, (running.get(site) ?? 0) + 1)
  let best: WaitingUrl | undefined
  let least = Number.POSITIVE_INFINITY
  for (const one of waiting) {
    const count = running.get(one.site) ?? 0
    if (count >= least || busy.has(one.id) || fetched.has(one.id)) continue
    best = one
    least = count
    if (count === 0) break
  }
  return best
}

export async function openPreheats(layout: Layout, ports: NodePorts, fetchUrl = preheatUrl): Promise<Preheats> {
  const path = join(layout.own, 'preheats.json')
  let waiting = waitingOf(await readIfThere(path))
  const bell = doorbell()
  // Serialized: otherwise an older list could overwrite a newer one.
  let saved = Promise.resolve()
  const write = () => writeDurably(path, JSON.stringify(waiting), layout.private)
  const save = () => {
    saved = saved.then(write, write)
    return saved
  }

  return {
    async add(urls) {
      const known = new Set(waiting.map(({ id }) => id))
      const fresh = urls.filter(({ id }) => !known.has(id))
      if (fresh.length === 0) return
      waiting = [...waiting, ...fresh]
      await save()
      bell.ring()
    },

    async run(keep, signal) {
      const busy = new Map<number, WaitingUrl>()
      // Fetched URLs stay on the list until their receipts are saved.
      const fetched = new Set<number>()
      let receipts: Receipt[] = []
      let keptAt = 0

      function start() {
        while (busy.size < AT_ONCE) {
          const one = nextUrl(waiting, busy, fetched)
          if (!one) return
          busy.set(one.id, one)
          void fetchUrl(ports, one.url).then((result) => {
            receipts.push({ id: one.id, ...result })
            fetched.add(one.id)
            busy.delete(one.id)
            bell.ring()
          })
        }
      }

      while (!signal.aborted) {
        start()
        const isDue = receipts.length > 0 && (busy.size === 0 || Date.now() - keptAt >= KEEP_MS)
        if (isDue) {
          const mine = receipts
          receipts = []
          keptAt = Date.now()
          try {
            await keep(mine)
            const kept = new Set(mine.map(({ id }) => id))
            waiting = waiting.filter(({ id }) => !kept.has(id))
            for (const id of kept) fetched.delete(id)
            await save()
          } catch (error) {
            receipts = [...mine.filter(({ id }) => fetched.has(id)), ...receipts]
            log.warn('receipts of preheats are not kept yet', { reason: reasonOf(error) })
          }
        }
        await bell.wait(receipts.length > 0 ? KEEP_MS : IDLE_MS, signal)
      }
    },
  }
}

/** An unreadable list is replaced by an empty one: the control plane shows its preheats as not done. */
function waitingOf(text: Buffer | undefined): WaitingUrl[] {
  if (!text) return []
  try {
    return z.array(WaitingUrl).parse(JSON.parse(text.toString('utf8')))
  } catch (error) {
    log.error('the list of URLs to preheat is unreadable', { reason: reasonOf(error) })
    return []
  }
}
