/// <reference lib="dom" />
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Keys } from '../keys.ts'

const arrive = (page: Page) => page.evaluate(() => dispatchEvent(new Event('arrive')))
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent)

/** Whether focus is outside of all floating elements. */
const isBehind = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest('main') !== null && !document.activeElement?.closest('dialog'))

export const block = 'LaterFloat'
export const keys: Keys = {
  'who presses on before it is there stays in front of the page, and is in it when it comes': async (page) => {
    const button = page.getByRole('button', { name: 'Edit later' })
    await button.press('Enter')
    await page.getByRole('dialog', { name: 'Loading' }).waitFor()
    for (let at = 0; at < 4; at += 1) {
      await page.keyboard.press('Tab')
      expect(await isBehind(page)).toBe(false)
    }
    await arrive(page)
    await page.getByRole('dialog', { name: 'Edit rule' }).waitFor()
    await page.waitForFunction('document.activeElement.matches("input[aria-label=Name]")')
    expect(await page.locator('dialog').count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.waitForFunction('document.activeElement.textContent === "Edit later"')
  },
  'Escape while it loads opens nothing, and the focus is where it was': async (page) => {
    await page.getByRole('button', { name: 'Ask later' }).press('Enter')
    await page.getByRole('dialog', { name: 'Loading' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => focused(page)).toBe('Ask later')
  },
  'opened from a menu, the focus comes back to what opened the menu': async (page) => {
    await page.getByRole('button', { name: 'More later' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Open' }).press('Enter')
    await page.getByRole('dialog', { name: 'Loading' }).waitFor()
    await arrive(page)
    await page.getByRole('dialog', { name: 'Ask first' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.waitForFunction('document.activeElement.textContent === "More later"')
  },
}
