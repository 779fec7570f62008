/** When something is on the screen of a page, as what is put into it (`page.js`) tells. All times in ms. */
import { join } from 'node:path'
import type { Locator, Page } from '../../../tests/walk/browser.ts'

export const watchPage = (page: Page) => page.addInitScript({ path: join(import.meta.dirname, 'page.js') })

const until = (selector: string, count: number) => `watch.until(${JSON.stringify(selector)}, ${count})`

/** From the beginning of the page's load until so many of these are painted. */
export const paintedAt = (page: Page, selector: string, count = 1): Promise<number> =>
  page.evaluate<number>(until(selector, count))

/** From a press until so many of these are painted. */
export async function pressUntil(page: Page, target: Locator, selector: string, count = 1): Promise<number> {
  await page.evaluate(`void (globalThis.seen = ${until(selector, count)})`)
  await target.click()
  return page.evaluate<number>('seen.then((at) => at - watch.pressed)')
}

/** From the moment a large answer is there until the chart is painted with it. `ask` makes the page ask for it. */
export async function answerUntilDrawn(page: Page, label: string, ask: () => Promise<void>): Promise<number> {
  await page.evaluate(`void (globalThis.seen = watch.drawn(${JSON.stringify(label)}))`)
  await ask()
  return page.evaluate<number>('seen.then((at) => at - watch.answered)')
}

/** The slowest interaction since this was last asked, once all of them are told: with the frame after their paint. */
export async function slowestInteraction(page: Page): Promise<number> {
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  return page.evaluate<number>('watch.slowest()')
}

/** Makes the page's processor so many times slower. */
export async function slowDown(page: Page, rate: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate })
}
