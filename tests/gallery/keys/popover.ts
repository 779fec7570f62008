import type { Keys } from '../keys.ts'

export const block = 'Overlay/popover'
export const keys: Keys = {
  'Enter opens, Escape closes and gives the focus back': async (page) => {
    await page.getByRole('button', { name: 'More' }).press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.waitForFunction('document.activeElement.textContent === "More"')
  },
}
