import type { Keys } from '../keys.ts'

export const block = 'Faults/list'
export const keys: Keys = {
  'each code has its sentence and its targets, and one button goes on': async (page) => {
    const dialog = page.getByRole('dialog', { name: 'Multiple Errors' })
    await dialog.getByText('shop.example, img.example').waitFor()
    await dialog.getByText('Duplicated data').waitFor()
    await dialog.getByRole('button', { name: 'Got it' }).waitFor()
  },
}
