import { expect } from 'vitest'
import type { Keys } from '../keys.ts'

export const block = 'WorldMap'
export const keys: Keys = {
  'before the numbers are there it says that they come, and not that there are none': async (page) => {
    const waiting = page.locator('[data-story="WorldMap/waiting"] [aria-busy=true]')
    await waiting.locator('path').first().waitFor()
    expect(await waiting.textContent()).toBe('')
    await page.locator('[data-story="WorldMap/empty"] [aria-busy=false]').getByText('No data').waitFor()
  },
  'arrows go from the most to the least, Enter filters for a country, Alt and Enter out': async (page) => {
    const map = page.getByRole('listbox', { name: /^Blocked requests/ })
    await map.focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await page.locator('output', { hasText: /^CN$/ }).waitFor()
    await page.keyboard.press('End')
    await page.keyboard.press('Alt+Enter')
    await page.locator('output', { hasText: /^not FR$/ }).waitFor()
    const active = await map.getAttribute('aria-activedescendant')
    await expect.poll(() => page.locator(`[id="${active}"]`).getAttribute('aria-label')).toBe('France: 40')
  },
  'a hand on a country is told its number, and a press picks it': async (page) => {
    await page.locator('[data-country=BR]').first().hover()
    await page.getByText('Brazil').first().waitFor()
    await page.locator('[data-country=SG]').first().click()
    await page.locator('output', { hasText: /^SG$/ }).waitFor()
  },
}
