import type { Keys } from '../keys.ts'

export const block = 'TimeSeries'
export const keys: Keys = {
  'Shift and arrows select, Enter zooms, z goes out again': async (page) => {
    await page.getByRole('slider', { name: /^Requests:/ }).focus()
    await page.keyboard.press('ArrowLeft')
    for (let at = 0; at < 4; at += 1) await page.keyboard.press('Shift+ArrowLeft')
    await page.keyboard.press('Enter')
    await page.locator('[data-range*=from]').waitFor()
    await page.keyboard.press('z')
    await page.locator('[data-range*=from]').waitFor({ state: 'detached' })
  },
  'the numbers are there as a table': async (page) => {
    await page.getByRole('button', { name: 'View Requests as table' }).press('Enter')
    await page.getByRole('columnheader', { name: 'Blocked' }).waitFor()
    await page.getByRole('button', { name: 'View Requests as chart' }).press('Enter')
  },
}
