import { expect } from 'vitest'
import type { Keys } from '../keys.ts'

const focused = 'document.activeElement.textContent'
export const block = 'Dialog/dialog'
export const keys: Keys = {
  'Tab stays inside; Escape closes, and the focus is where it was': async (page) => {
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Ask' }).press('Enter')
    await page.getByRole('dialog', { name: 'Remove two sites' }).waitFor()
    for (let at = 0; at < 5; at += 1) await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.closest("[role=dialog]") !== null')).toBe(true)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.evaluate(focused)).toBe('Ask')
  },
}
