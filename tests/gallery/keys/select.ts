import type { Keys } from '../keys.ts'

export const block = 'Select'
export const keys: Keys = {
  'Enter opens, a letter finds, Enter chooses': async (page) => {
    const box = page.getByRole('combobox', { name: 'City' }).first()
    await box.press('Enter')
    await page.getByRole('listbox').waitFor()
    await page.keyboard.press('b')
    await page.locator('[role=option][data-highlighted]', { hasText: 'Berlin' }).waitFor()
    await page.keyboard.press('Enter')
    await box.getByText('Berlin').waitFor()
  },
}
