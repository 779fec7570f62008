/// <reference lib="dom" />
import { expect } from 'vitest'
import type { Keys } from '../keys.ts'

export const block = 'Input'
export const keys: Keys = {
  'a search asks once the typing has paused, and for all of it': async (page) => {
    await page.getByRole('searchbox', { name: 'Search sites' }).focus()
    // All at once: on a slow machine single key presses would come with pauses.
    const asked = await page.evaluate(() => {
      for (const letter of 'shop') document.execCommand('insertText', false, letter)
      return document.querySelector('output')?.textContent
    })
    expect(asked).toBe('')
    await page.locator('output', { hasText: /^shop$/ }).waitFor()
  },
}
