/// <reference lib="dom" />
import { expect } from 'vitest'
import { formValue, type Keys } from '../keys.ts'

const story = (name: string) => `MoreFields/${name}`
export const block = 'MoreFields'
export const keys: Keys = {
  'digits go from box to box, Backspace goes back, letters are no digits': async (page) => {
    await page.getByRole('textbox', { name: 'Code', exact: true }).focus()
    await page.keyboard.type('12x3')
    await page.keyboard.press('Backspace')
    await page.locator(`[data-story="${story('one-time code')}"] form[data-value*='"code":"12"']`).waitFor()
  },
  'a whole code is pasted into the first box': async (page) => {
    await page.getByRole('textbox', { name: 'Code', exact: true }).focus()
    await page.evaluate(() => {
      const data = new DataTransfer()
      data.setData('text/plain', '654 321')
      document.activeElement?.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }),
      )
    })
    await page.locator(`[data-story="${story('one-time code')}"] form[data-value*="654321"]`).waitFor()
  },
  'Enter and comma make tags, Backspace takes the last, each has its way out': async (page) => {
    await page.getByLabel('Extensions', { exact: true }).focus()
    await page.keyboard.type('avif,gif')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Backspace')
    await page.getByRole('button', { name: 'Remove png' }).press('Enter')
    await expect.poll(async () => (await formValue(page, story('tags'))).extensions).toEqual(['webp', 'avif'])
  },
  'code is typed and undone, and Tab leaves it': async (page) => {
    const rule = page.getByRole('textbox', { name: 'Expression' })
    await rule.focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' or true')
    await expect.poll(async () => (await formValue(page, story('code'))).rule).toContain('or true')
    await page.keyboard.press('Control+z')
    await page.locator(`[data-story="${story('code')}"] form:not([data-value*="or true"])`).waitFor()
    await page.keyboard.press('Shift+Tab')
    await expect.poll(() => rule.evaluate((element) => element.contains(document.activeElement))).toBe(false)
  },
  'wrong JSON is named by its line, and the word leads there': async (page) => {
    const body = page.getByRole('textbox', { name: 'Body' })
    await body.fill('{\n  "a": 1,\n  b\n}')
    await page.getByRole('button', { name: 'Line 3: Not valid JSON' }).press('Enter')
    await expect.poll(() => body.getAttribute('aria-invalid')).toBe('true')
    await expect.poll(() => body.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  },
}
