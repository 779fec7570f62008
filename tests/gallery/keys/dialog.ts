import type { Keys } from '../keys.ts'

export const block = 'Dialog/dialog'
export const keys: Keys = {
  'Tab stays inside; Escape closes, and the focus is where it was': async (page) => {
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Ask' }).press('Enter')
    await page.getByRole('dialog', { name: 'Remove two sites' }).waitFor()
    for (let at = 0; at < 5; at += 1) await page.keyboard.press('Tab')
    // Past the last one the focus is led back to the first, a moment later.
    await page.waitForFunction('document.activeElement.closest("[role=dialog]") !== null')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.waitForFunction('document.activeElement.textContent === "Ask"')
  },
}
