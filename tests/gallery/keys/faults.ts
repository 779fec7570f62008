import { expect } from 'vitest'
import type { Keys } from '../keys.ts'

export const block = 'Faults/part of a page'
export const keys: Keys = {
  'what failed is heard, has its request id to copy, and another try': async (page) => {
    const alert = page.getByRole('alert').filter({ hasText: 'Unknown Error' })
    await alert.getByRole('button', { name: /^Copy 01980e2f/ }).focus()
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Try again')
  },
}
