/** What the keys of a block do: each entry is a promise, and what is pressed on the block's page to see it kept. */
import type { Page } from 'playwright-core'

export type Keys = Record<string, (page: Page) => Promise<void>>

/** The value of the form of a story, as its fields have it. */
export async function formValue(page: Page, story: string): Promise<Record<string, unknown>> {
  const text = await page.locator(`[data-story="${story}"] form`).getAttribute('data-value')
  return JSON.parse(text ?? '{}') as Record<string, unknown>
}
