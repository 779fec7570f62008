import { expect } from 'vitest'
import type { Keys } from '../keys.ts'

export const block = 'Tabs'
export const keys: Keys = {
  'each part is a link that Tab reaches, and the present one says so': async (page) => {
    const parts = page.getByRole('navigation', { name: 'Parts' })
    expect(await parts.locator('[aria-current=page]').textContent()).toBe('Blacklist')
    await parts.getByRole('link', { name: 'Overview' }).focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('WAF')
    expect(await parts.getByRole('link', { name: 'WAF' }).getAttribute('href')).toContain('tab=waf')
  },
}
