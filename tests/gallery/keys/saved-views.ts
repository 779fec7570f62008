import type { Keys } from '../keys.ts'

export const block = 'SavedViews'
export const keys: Keys = {
  'a view is named and saved by keys alone, and taken away': async (page) => {
    const opener = page.getByRole('button', { name: 'Views' })
    await opener.press('Enter')
    await page.getByLabel('Name of the view').fill('Failing')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Failing' }).press('Enter')
    await page.getByRole('button', { name: 'Remove view: Failing' }).press('Enter')
    await page.getByText('Save the current filters, sort and columns under a name.').waitFor()
  },
}
