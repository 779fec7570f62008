import type { Keys } from '../keys.ts'

export const block = 'Toaster'
export const keys: Keys = {
  'a message is heard, and closed by a press': async (page) => {
    await page.getByRole('button', { name: 'Tell' }).press('Enter')
    await page.getByText('Saved. Live on 43 of 43 nodes.').first().waitFor()
    // F6 moves focus to the messages from anywhere, so that nobody has to tab through the page to reach them.
    await page.keyboard.press('F6')
    await page.getByRole('button', { name: 'Close' }).first().press('Enter')
    await page.getByRole('button', { name: 'Close' }).waitFor({ state: 'detached' })
  },
}
