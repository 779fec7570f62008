import type { Keys } from '../keys.ts'

export const block = 'Job/job'
export const keys: Keys = {
  'a job goes on while nobody looks, and is found again': async (page) => {
    await page.getByRole('button', { name: 'Begin' }).press('Enter')
    await page.getByRole('button', { name: 'Look away or back' }).press('Enter')
    await page.locator('[data-story="Job/job"] output').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Look away or back' }).press('Enter')
    await page.getByText('3 of 3 over').waitFor()
  },
}
