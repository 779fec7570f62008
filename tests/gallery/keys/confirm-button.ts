import { expect } from 'vitest'
import type { Keys } from '../keys.ts'

export const block = 'ConfirmButton'
export const keys: Keys = {
  'the worst is confirmed only when its name is typed': async (page) => {
    await page.getByRole('button', { name: 'Remove by name' }).press('Enter')
    const confirm = page.getByRole('button', { name: 'Remove it' })
    await expect.poll(() => confirm.isDisabled()).toBe(true)
    await page.getByLabel('Type “shop” to confirm').focus()
    await page.keyboard.type('shop')
    await confirm.press('Enter')
    await page.locator('[data-done="1"]').waitFor()
  },
  'Escape takes it back': async (page) => {
    await page.getByRole('button', { name: 'Remove', exact: true }).press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.locator('[data-done="1"]').count()).toBe(0)
  },
}
