import { expect } from 'vitest'
import type { Keys } from '../keys.ts'

export const block = 'Input'
export const keys: Keys = {
  'a search asks once the typing has paused, and for all of it': async (page) => {
    await page.getByRole('searchbox', { name: 'Search sites' }).focus()
    await page.keyboard.type('shop')
    expect(await page.locator('output').textContent()).toBe('')
    await page.locator('output', { hasText: /^shop$/ }).waitFor()
  },
}
