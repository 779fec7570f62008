import type { Keys } from '../keys.ts'

export const block = 'DateTimeRange'
export const keys: Keys = {
  'moments are of the zone, and none is told while they are in the wrong order': async (page) => {
    await page.getByLabel('To').fill('2025-11-21T00:00')
    await page.getByText('The end must be after the start').waitFor()
    await page.locator('[data-range=none]').waitFor()
    await page.getByLabel('From').fill('2025-11-20T00:00')
    await page.locator('[data-range="1763568000 1763654400"]').waitFor()
  },
}
