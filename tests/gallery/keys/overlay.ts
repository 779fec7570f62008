import type { Keys } from '../keys.ts'

export const block = 'Overlay/pick list'
export const keys: Keys = {
  'typing narrows, arrows move, Enter picks': async (page) => {
    await page.getByRole('combobox', { name: 'Go to' }).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.locator('output', { hasText: 'Domains' }).waitFor()
    await page.keyboard.type('shop')
    await page.keyboard.press('Enter')
    await page.locator('output', { hasText: 'shop.example' }).waitFor()
  },
  'nothing found is said': async (page) => {
    await page.getByRole('combobox', { name: 'Go to' }).fill('zzz')
    await page.getByText('Nothing found').waitFor()
  },
}
