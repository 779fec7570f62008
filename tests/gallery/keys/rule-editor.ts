/// <reference lib="dom" />
import { expect } from 'vitest'
import type { Keys } from '../keys.ts'

export const block = 'RuleEditor/drawer'
export const keys: Keys = {
  'a condition is added and taken away': async (page) => {
    await page.getByRole('button', { name: 'and Host' }).press('Enter')
    await page.getByRole('textbox', { name: 'Host' }).fill('shop.example')
    await page.waitForFunction('document.activeElement.name === "host"')
    await page.getByRole('button', { name: 'Remove the condition: Host' }).press('Enter')
    await page.getByRole('button', { name: 'and Host' }).waitFor()
    await page.keyboard.press('Control+s')
    await page.locator('[data-state="saved observe "]').waitFor({ state: 'attached' })
  },
  'a rule that observed is looked at before it enforces': async (page) => {
    await page.getByRole('button', { name: 'Enforce', exact: true }).press('Enter')
    await page.getByRole('button', { name: 'Save and enforce' }).press('Enter')
    await page.getByText('mode Observe → Enforce').waitFor()
    // Only one of the two dims the page behind them.
    await expect
      .poll(() => page.locator('.dim').evaluateAll((all) => all.map((dim) => getComputedStyle(dim).opacity)))
      .toEqual(['0', '1'])
    await page.getByRole('button', { name: 'Enforce', exact: true }).last().press('Enter')
    await page.locator('[data-state="saved enforce "]').waitFor({ state: 'attached' })
  },
  'or goes on observing': async (page) => {
    await page.getByRole('button', { name: 'Enforce', exact: true }).press('Enter')
    await page.getByRole('button', { name: 'Save and enforce' }).press('Enter')
    await page.getByRole('button', { name: 'Save and keep observing' }).press('Enter')
    await page.locator('[data-state="saved observe "]').waitFor({ state: 'attached' })
  },
}
