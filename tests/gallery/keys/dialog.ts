import type { Keys } from '../keys.ts'

export const block = 'Dialog/dialog'
export const keys: Keys = {
  'Tab stays inside; Escape closes, and the focus is where it was': async (page) => {
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Ask' }).press('Enter')
    await page.getByRole('dialog', { name: 'Remove two sites' }).waitFor()
    // Focus moves into the dialog, and after the last button it wraps to the first, a moment later.
    const isInside = () => page.waitForFunction('document.activeElement.closest("[role=dialog]") !== null')
    await isInside()
    for (let at = 0; at < 5; at += 1) {
      await page.keyboard.press('Tab')
      await isInside()
    }
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.waitForFunction('document.activeElement.textContent === "Ask"')
  },
}
