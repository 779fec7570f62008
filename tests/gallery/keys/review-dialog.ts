import type { Keys } from '../keys.ts'

export const block = 'ReviewDialog/review'
export const keys: Keys = {
  'each way to go on is a button': async (page) => {
    await page.getByText('and 3 more').waitFor()
    await page.getByRole('button', { name: 'Observe' }).press('Enter')
    await page.locator('[data-state=observed]').waitFor({ state: 'attached' })
  },
  'Escape changes nothing': async (page) => {
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('[data-state=closed]').waitFor({ state: 'attached' })
  },
}
