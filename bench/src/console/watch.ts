/// <reference lib="dom" />
/** When something is on the screen: what is put into a page to tell it, and how it is asked. All times in ms. */
import type { Locator, Page } from 'playwright-core'

type Watch = {
  /** When the page was painted with so many of these in it, since it began to load. */
  until: (selector: string, count: number) => Promise<number>
  /** When the last press happened. */
  pressed: number
  /** The longest that an interaction took until the next paint since it was last asked. */
  slowest: () => { name: string; duration: number }
  /** When the last large answer had come, and when the chart of this name was painted after it. */
  answered: number
  drawn: (label: string) => Promise<number>
}
type Watched = typeof globalThis & { watch: Watch }

/** Put into every page before its own code. */
export function watchPage(): void {
  const painted = () =>
    new Promise<number>((done) =>
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => done(performance.now())
        port2.postMessage(undefined)
      }),
    )
  let worst = { name: 'none', duration: 0 }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { interactionId: number })[])
      if (entry.interactionId > 0 && entry.duration > worst.duration) worst = entry
  }).observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit)
  let strokes: ((label: string) => void)[] = []
  const stroke = CanvasRenderingContext2D.prototype.stroke as (path?: Path2D) => void
  CanvasRenderingContext2D.prototype.stroke = function (...path: [Path2D?]) {
    const label = this.canvas.closest('figure')?.getAttribute('aria-label')
    if (label) for (const tell of strokes) tell(label)
    return stroke.apply(this, path)
  }
  const largeBytes = 500_000
  Response.prototype.json = async function () {
    const body = await this.text()
    if (body.length > largeBytes) watch.answered = performance.now()
    return JSON.parse(body) as unknown
  }
  const watch: Watch = {
    until: (selector, count) =>
      new Promise((done) => {
        const isThere = () => document.querySelectorAll(selector).length >= count
        if (isThere()) return painted().then(done)
        const observer = new MutationObserver(() => {
          if (!isThere()) return
          observer.disconnect()
          void painted().then(done)
        })
        observer.observe(document, { subtree: true, childList: true, attributes: true })
      }),
    pressed: 0,
    slowest() {
      const { name, duration } = worst
      worst = { name: 'none', duration: 0 }
      return { name, duration }
    },
    answered: 0,
    drawn: (label) =>
      new Promise((done) => {
        const tell = (drawn: string) => {
          if (drawn !== label || watch.answered === 0) return
          strokes = strokes.filter((one) => one !== tell)
          void painted().then(done)
        }
        strokes.push(tell)
      }),
  }
  addEventListener('click', ({ timeStamp }) => (watch.pressed = timeStamp), { capture: true })
  Object.assign(globalThis, { watch })
}

/** From the beginning of the page's load until so many of these are painted. */
export const paintedAt = (page: Page, selector: string, count = 1): Promise<number> =>
  page.evaluate(([what, n]) => (globalThis as Watched).watch.until(what, n), [selector, count] as const)

/** From a press until so many of these are painted. */
export async function pressUntil(page: Page, target: Locator, selector: string, count = 1): Promise<number> {
  await page.evaluate(
    ([what, n]) => Object.assign(globalThis, { seen: (globalThis as Watched).watch.until(what, n) }) && undefined,
    [selector, count] as const,
  )
  await target.click()
  return page.evaluate(async () => {
    const { seen, watch } = globalThis as Watched & { seen: Promise<number> }
    return (await seen) - watch.pressed
  })
}

/** From the moment a large answer is there until the chart is painted with it. `ask` makes the page ask for it. */
export async function answerUntilDrawn(page: Page, label: string, ask: () => Promise<void>): Promise<number> {
  await page.evaluate((name) => {
    const { watch } = globalThis as Watched
    watch.answered = 0
    Object.assign(globalThis, { drawn: watch.drawn(name) })
  }, label)
  await ask()
  return page.evaluate(async () => {
    const { drawn, watch } = globalThis as Watched & { drawn: Promise<number> }
    return (await drawn) - watch.answered
  })
}

export const slowestInteraction = (page: Page) => page.evaluate(() => (globalThis as Watched).watch.slowest())

/** Makes the page's processor so many times slower. */
export async function slowDown(page: Page, rate: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate })
}
