import type { Keys } from '../keys.ts'

export const block = 'Menu'
export const keys: Keys = {
  'Enter opens, arrows move, Enter chooses, and the button has the focus again': async (page) => {
    await page.getByRole('button', { name: 'Actions' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Copy' }).waitFor()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.getByText('removed').waitFor()
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await page.waitForFunction('document.activeElement.textContent === "Actions"')
  },
  'Escape closes and chooses nothing': async (page) => {
    await page.getByRole('button', { name: 'Actions' }).press('Enter')
    await page.getByRole('menu').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await page.getByText('nothing').waitFor()
  },
}
