import { expect } from 'vitest'
import type { Keys } from '../keys.ts'

export const block = 'Regions'
export const keys: Keys = {
  'a country is found by typing and chosen by Space': async (page) => {
    await page.getByRole('searchbox', { name: 'Search country or continent' }).fill('japan')
    await page.getByRole('checkbox', { name: 'Japan' }).press('Space')
    await page.locator('[data-value="DE TW SG JP"]').waitFor()
    await page.getByText('4 countries: Germany, Taiwan, Singapore, Japan').waitFor()
  },
  'a continent is opened, and chosen as a whole': async (page) => {
    await page.getByRole('button', { name: 'South America' }).press('Enter')
    await page.getByRole('checkbox', { name: 'Brazil' }).waitFor()
    await page.getByRole('checkbox', { name: 'South America' }).press('Space')
    await expect.poll(() => page.locator('[data-value]').getAttribute('data-value')).toContain('AR BO BR')
  },
  'a press on the map chooses and lets go': async (page) => {
    await page.locator('[data-country=BR]').click()
    await page.locator('[data-value="DE TW SG BR"]').waitFor()
    await page.locator('[data-country=BR]').click()
    await page.locator('[data-value="DE TW SG"]').waitFor()
  },
  'a group chooses all of its own but what is closed': async (page) => {
    await page.getByRole('checkbox', { name: 'Sites', exact: true }).press('Space')
    await page.locator('[data-chosen="Read sites,Change sites"]').waitFor()
    await page.getByRole('checkbox', { name: 'Remove sites', disabled: true }).waitFor()
  },
}
