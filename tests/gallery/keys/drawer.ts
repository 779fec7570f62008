import type { Keys } from '../keys.ts'

export const block = 'Dialog/drawer'
export const keys: Keys = {
  'it has a way out for every hand: Escape, the cross, and the focus comes back': async (page) => {
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Edit' }).press('Enter')
    await page.getByRole('button', { name: 'Close' }).press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.waitForFunction('document.activeElement.textContent === "Edit"')
  },
}
