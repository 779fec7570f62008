import { expect } from 'vitest'
import type { Keys } from '../keys.ts'

export const block = 'FilterBar'
export const keys: Keys = {
  'a filter is added by keys alone, and a second value joins its chip': async (page) => {
    await page.getByRole('button', { name: 'Filter', exact: true }).press('Enter')
    const form = page.getByRole('dialog')
    await form.getByRole('combobox').first().press('Enter')
    await page.getByRole('option', { name: 'Host' }).press('Enter')
    await form.getByLabel('Value').fill('img.example')
    await page.keyboard.press('Enter')
    await page.getByText('is shop.example, img.example').waitFor()
    await form.waitFor({ state: 'detached' })
  },
  'a chip is taken away, and all of them': async (page) => {
    await page.getByRole('button', { name: 'Remove filter: Status' }).press('Enter')
    await expect.poll(() => page.locator('[data-filters]').getAttribute('data-filters')).not.toContain('status')
    await page.getByRole('button', { name: 'Clear filters' }).press('Enter')
    await page.locator('[data-filters="[]"]').waitFor()
  },
}
