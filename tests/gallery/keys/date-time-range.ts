import { expect } from 'vitest'
import type { Keys } from '../keys.ts'

export const block = 'DateTimeRange'
export const keys: Keys = {
  'moments are of the zone, and none is told while they are in the wrong order': async (page) => {
    await page.getByLabel('To').fill('2025-11-21 00:00')
    await page.getByText('The end must be after the start').waitFor()
    await page.locator('[data-range=none]').waitFor()
    await page.getByLabel('From').fill('2025-11-20 00:00')
    await page.locator('[data-range="1763568000 1763654400"]').waitFor()
  },
  'what is no moment is said at its field, and up and down step the part at the caret': async (page) => {
    const to = page.getByLabel('To')
    await to.fill('2025-11-31 00:00')
    await page.getByText('Write it as 2026-11-21 14:05').waitFor()
    const invalid = () => Promise.all([page.getByLabel('From'), to].map((field) => field.getAttribute('aria-invalid')))
    await expect.poll(invalid).toEqual([null, 'true'])
    await to.fill('2025-11-30 23:59')
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowUp')
    await expect.poll(() => to.inputValue()).toBe('2025-12-01 00:00')
  },
}
