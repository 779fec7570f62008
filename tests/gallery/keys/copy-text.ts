import type { Keys } from '../keys.ts'

export const block = 'CopyText/inline'
export const keys: Keys = {
  'Enter copies, and it is said': async (page) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy shop.example.cdn.breakwater.test' }).press('Enter')
    await page.getByRole('status').getByText('Copied').waitFor({ state: 'attached' })
  },
}
