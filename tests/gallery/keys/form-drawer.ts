import { expect } from 'vitest'
import type { Keys } from '../keys.ts'

export const block = 'FormDrawer/drawer'
export const keys: Keys = {
  'an empty form is sent to its first wrong field': async (page) => {
    await page.keyboard.press('Control+s')
    await page.getByLabel('Name').focus()
    await page.keyboard.press('Control+s')
    await page.getByText('Required').waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('name')
  },
  'what the server refuses stands at its field': async (page) => {
    await page.getByLabel('Name').fill('taken')
    await page.keyboard.press('Control+s')
    await page.getByText('Already exists').waitFor()
  },
  'Control and S saves': async (page) => {
    await page.getByLabel('Name').fill('shop')
    await page.keyboard.press('Control+s')
    await page.locator('[data-state=saved]').waitFor({ state: 'attached' })
  },
  'Tab stays inside, Escape closes': async (page) => {
    await page.getByRole('dialog').waitFor()
    // Focus moves into the drawer, and after the last field it wraps to the first, a moment later.
    const isInside = () => page.waitForFunction('document.activeElement.closest("[role=dialog]") !== null')
    await isInside()
    for (let at = 0; at < 12; at += 1) {
      await page.keyboard.press('Tab')
      await isInside()
    }
    await page.keyboard.press('Escape')
    await page.locator('[data-state=closed]').waitFor({ state: 'attached' })
  },
}
