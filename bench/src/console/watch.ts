/** When something is painted on a page, as measured by the injected script (`page.js`). All times in ms. */
import { join } from 'node:path'
import type { Locator, Page } from '../../../tests/walk/browser.ts'

export const watchPage = (page: Page) => page.addInitScript({ path: join(import.meta.dirname, 'page.js') })

const until = (selector: string, count: number) => `watch.until(${JSON.stringify(selector)}, ${count})`

/** Time from the start of the page load until this many matching elements are painted. */
export const paintedAt = (page: Page, selector: string, count = 1): Promise<number> =>
  page.evaluate<number>(until(selector, count))

/** Time from a click until this many matching elements are painted. */
export async function pressUntil(page: Page, target: Locator, selector: string, count = 1): Promise<number> {
  await page.evaluate(`void (globalThis.seen = ${until(selector, count)})`)
  await target.click()
  return page.evaluate<number>('seen.then((at) => at - watch.pressed)')
}

/** Time from the arrival of a large response until the chart has painted it. `ask` makes the page request it. */
export async function answerUntilDrawn(page: Page, label: string, ask: () => Promise<void>): Promise<number> {
  await page.evaluate(`void (globalThis.seen = watch.drawn(${JSON.stringify(label)}))`)
  await ask()
  return page.evaluate<number>('seen.then((at) => at - watch.answered)')
}

/** The slowest interaction since the last call. Waits two frames, so that all of them have been reported. */
export async function slowestInteraction(page: Page): Promise<number> {
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  return page.evaluate<number>('watch.slowest()')
}

/** Throttles the page's CPU by this factor. */
export async function slowDown(page: Page, rate: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate })
}
