/** What the keys of a block do: each entry is a promise, and the key presses on the block's page that verify it. */
import type { Page } from 'playwright-core'

export type Keys = Record<string, (page: Page) => Promise<void>>

/** The value of a story's form, as its fields hold it. */
export async function formValue(page: Page, story: string): Promise<Record<string, unknown>> {
  const text = await page.locator(`[data-story="${story}"] form`).getAttribute('data-value')
  return JSON.parse(text ?? '{}') as Record<string, unknown>
}
