import { expect } from 'vitest'
import type { Keys } from '../keys.ts'

export const block = 'WidgetGrid'
export const keys: Keys = {
  'arrows move, Shift and arrows size, Delete removes, and it is said': async (page) => {
    const handle = page.getByRole('button', { name: /^Move requests/ })
    await handle.press('Shift+ArrowLeft')
    await page.getByText('requests: column 1, row 1, 5 wide, 2 high').waitFor()
    await handle.press('ArrowDown')
    await page.getByRole('button', { name: /^Move traffic/ }).press('Delete')
    await expect.poll(() => page.locator('[data-cells]').getAttribute('data-cells')).not.toContain('traffic')
  },
}
