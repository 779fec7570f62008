import { expect } from 'vitest'
import type { Keys } from '../keys.ts'

export const block = 'ResourceTable'
export const keys: Keys = {
  'arrows and j k move, x selects, Escape clears, Enter opens': async (page) => {
    const rows = page.locator('[data-story="ResourceTable/rows"] tbody tr')
    await rows.first().focus()
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('x')
    await page.getByText('2 selected').waitFor()
    await page.keyboard.press('Escape')
    await page.getByText('2 selected').waitFor({ state: 'detached' })
    await page.keyboard.press('k')
    await page.keyboard.press('Enter')
    await page.locator('output', { hasText: 'img.example' }).waitFor()
  },
  'a header sorts, then turns the order': async (page) => {
    const header = page.getByRole('button', { name: 'Domain' }).first()
    await header.press('Enter')
    await header.press('Enter')
    await expect.poll(() => page.locator('[data-state]').first().getAttribute('data-state')).toContain('"asc"')
    await expect.poll(() => page.locator('th[aria-sort]').first().getAttribute('aria-sort')).toBe('ascending')
  },
  'the pages are turned, and the first row is said': async (page) => {
    await page.getByRole('button', { name: 'Next page' }).first().press('Enter')
    await page.getByText('26 to 50 of 60').waitFor()
  },
}
