import { expect } from 'vitest'
import { formValue, type Keys } from '../keys.ts'

export const block = 'Fields'
export const keys: Keys = {
  'what is typed is in the form, and the eye shows a secret': async (page) => {
    const name = page.getByLabel('Name', { exact: true }).first()
    await name.focus()
    await page.keyboard.type(' north')
    await page.getByLabel('Secret', { exact: true }).focus()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByLabel('Secret', { exact: true }).getAttribute('type')).toBe('text')
    await expect.poll(() => formValue(page, 'Fields/typed')).toMatchObject({ name: 'shop north', ttl: 60 })
  },
  'a number that is none is no number in the form': async (page) => {
    const field = page.getByLabel('Time to live').first()
    await field.fill('12x')
    await expect.poll(async () => (await formValue(page, 'Fields/typed')).ttl).toBeNull()
    await field.fill('120')
    await expect.poll(async () => (await formValue(page, 'Fields/typed')).ttl).toBe(120)
  },
  'a moment is typed, emptied, and no schema takes one that nobody can read': async (page) => {
    const field = page.getByLabel('Until')
    const until = async () => (await formValue(page, 'Fields/chosen')).until
    await expect.poll(() => field.inputValue()).toBe('2026-11-21 22:05')
    await field.fill('2026-11-22 8:00')
    await expect.poll(until).toBe('2026-11-22T00:00:00.000Z')
    await field.fill('2026')
    await expect.poll(until).toBe('unread')
    expect(await field.inputValue()).toBe('2026')
    await page.keyboard.press('Tab')
    await page.getByText('Write it as 2026-11-21 14:05').waitFor()
    await field.fill('')
    await expect.poll(until).toBeNull()
  },
  'a wrong field says what is wrong': async (page) => {
    const wrong = page.locator('[data-story="Fields/wrong"]')
    expect(await wrong.getByLabel('Name').getAttribute('aria-invalid')).toBe('true')
    await wrong.getByText('Required').waitFor()
  },
  'Space turns a switch and one of several': async (page) => {
    await page.getByRole('switch', { name: 'Enabled' }).press('Space')
    await page.getByRole('button', { name: 'POST' }).press('Space')
    await expect.poll(() => formValue(page, 'Fields/chosen')).toMatchObject({ on: false, many: ['GET', 'PUT', 'POST'] })
  },
  'Enter breaks lines, and duplicates go with a press': async (page) => {
    const lines = page.getByLabel('Addresses')
    await lines.focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.press('Enter')
    await page.keyboard.type('203.0.113.9')
    await page.getByText('4 / 5,000').waitFor()
    await page.getByRole('button', { name: 'Remove duplicates' }).press('Enter')
    await expect
      .poll(async () => (await formValue(page, 'Fields/lines')).ips)
      .toEqual(['192.0.2.1', '198.51.100.0/24', '203.0.113.9'])
  },
}
