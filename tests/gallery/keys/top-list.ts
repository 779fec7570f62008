import type { Keys } from '../keys.ts'

export const block = 'TopList'
export const keys: Keys = {
  'each row has its actions for keys': async (page) => {
    await page.getByRole('button', { name: 'Exclude: 198.51.100.7' }).press('Enter')
    await page.locator('output', { hasText: 'Exclude 198.51.100.7' }).waitFor()
  },
}
