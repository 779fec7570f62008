import { expect } from 'vitest'
import type { Keys } from '../keys.ts'

export const block = 'RuleTable'
const story = '[data-story="RuleTable/rules"]'
export const keys: Keys = {
  'Alt and the arrows move a rule, and the focus goes with it': async (page) => {
    await page.locator(`${story} [data-rule="1"]`).focus()
    await page.keyboard.press('Alt+ArrowDown')
    await page.locator(`${story} [data-order="2,1,3"]`).waitFor()
    await page.waitForFunction('document.activeElement.dataset.rule === "1"')
    await page.keyboard.press('Alt+ArrowDown')
    await page.locator(`${story} [data-order="2,3,1"]`).waitFor()
  },
  'dragging moves a rule': async (page) => {
    await page.locator(`${story} [data-rule="3"]`).dragTo(page.locator(`${story} tbody tr`).first())
    await page.locator(`${story} [data-order="3,1,2"]`).waitFor()
  },
  'the switch puts a rule out of force': async (page) => {
    const first = page.locator(`${story} tbody tr`).first().getByRole('switch')
    await first.press('Space')
    await page.locator(`${story} tbody tr [role=switch][aria-checked=false]`).waitFor()
  },
  'the hits of a rule are drawn by the hour, and lead to them': async (page) => {
    const link = page.locator(story).getByRole('link', { name: '12.48K hits: show them in the log' })
    await link
      .getByRole('img', { name: 'Hits per hour, last 24 hours: 0, 0, 40, 220, 1,460, 3,900, 5,200, 1,660' })
      .waitFor()
    expect(await link.getAttribute('href')).toBe('/?listed=1')
  },
  'several rules are enforced after they were looked at': async (page) => {
    await page.locator(`${story} tbody tr`).first().focus()
    await page.keyboard.press('x')
    await page.getByRole('button', { name: 'Enforce', exact: true }).press('Enter')
    await page.getByRole('dialog').getByText('12,480', { exact: false }).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Enforce' }).press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await expect.poll(() => page.locator(story).getByText('Observe', { exact: true }).count()).toBe(0)
  },
  'a rule is removed from its menu': async (page) => {
    await page.locator(`${story} tbody tr`).nth(1).getByRole('button', { name: /^More/ }).press('Enter')
    await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter')
    await page.locator(`${story} [data-order="1,3"]`).waitFor()
  },
}
