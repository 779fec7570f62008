import { expect } from 'vitest'
import type { Keys } from '../keys.ts'

export const block = 'SettingsSection/section'
const story = '[data-story="SettingsSection/section"]'
export const keys: Keys = {
  'what is typed is marked, and discarded': async (page) => {
    const section = page.locator(story)
    await section.getByLabel('Server').fill('mail.harbour.example')
    await section.getByText('unsaved', { exact: true }).waitFor()
    await section.getByRole('button', { name: 'Discard' }).press('Enter')
    await section.getByText('unsaved', { exact: true }).waitFor({ state: 'detached' })
    await expect.poll(() => section.getByLabel('Server').inputValue()).toBe('smtp.harbour.example')
  },
  'what is saved is unchanged from then on': async (page) => {
    const section = page.locator(story)
    await section.getByLabel('Server').fill('mail.harbour.example')
    await page.keyboard.press('Enter')
    await section.getByRole('button', { name: 'Discard' }).waitFor({ state: 'detached' })
    await expect.poll(() => section.getByLabel('Server').inputValue()).toBe('mail.harbour.example')
  },
}
