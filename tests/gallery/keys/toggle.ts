import { expect } from 'vitest'
import type { Keys } from '../keys.ts'

export const block = 'Toggle'
export const keys: Keys = {
  'Space checks a box, turns a switch, and a closed one stays': async (page) => {
    await page.getByRole('checkbox', { name: 'Off' }).press('Space')
    await page.getByRole('checkbox', { name: 'Off', checked: true }).waitFor()
    await page.getByRole('checkbox', { name: 'Closed', disabled: true }).waitFor()
    await page.getByRole('switch', { name: 'Cache' }).press('Space')
    await page.getByRole('switch', { name: 'Cache', checked: false }).waitFor()
  },
  'arrows move among the choices of a row, Enter chooses': async (page) => {
    await page.getByRole('button', { name: 'country' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await page.locator('output', { hasText: 'city' }).waitFor()
  },
  'a button that stays pressed says so': async (page) => {
    const live = page.getByRole('button', { name: 'Live' })
    await live.press('Enter')
    await expect.poll(() => live.getAttribute('aria-pressed')).toBe('false')
  },
}
