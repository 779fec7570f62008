import { expect } from 'vitest'
import type { Keys } from '../keys.ts'

const rangeOf = '[data-story="TimeRange/preset"] [data-range]'
export const block = 'TimeRange'
export const keys: Keys = {
  'a preset and a relative range are chosen by keys': async (page) => {
    const open = page.getByRole('button', { name: 'Time range' }).first()
    await open.press('Enter')
    await page.getByRole('button', { name: '7 d' }).press('Enter')
    await page.locator(`${rangeOf}[data-range*='"7d"']`).waitFor()
    await open.press('Enter')
    await page.getByLabel('Last').fill('45m')
    await page.keyboard.press('Enter')
    await page.locator(`${rangeOf}[data-range*='"45m"']`).waitFor()
  },
  'two moments in the wrong order are refused with words': async (page) => {
    await page.getByRole('button', { name: 'Time range' }).nth(1).press('Enter')
    await page.getByLabel('From').fill('2030-01-01 00:00')
    await page.getByText('The end must be after the start').waitFor()
  },
  'one steps to the side and out': async (page) => {
    const range = () => page.locator(rangeOf).getAttribute('data-range')
    const first = await range()
    await page.getByRole('button', { name: 'Earlier' }).first().press('Enter')
    await expect.poll(range).not.toBe(first)
    const before = await range()
    await page.getByRole('button', { name: 'Zoom out' }).first().press('Enter')
    await expect.poll(range).not.toBe(before)
  },
}
