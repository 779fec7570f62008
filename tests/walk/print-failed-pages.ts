/** Prints what a person saw when a test failed: after the machine of a run is gone, nothing else shows it. */
import { afterEach } from 'vitest'
import { openPages } from './open-pages.ts'

afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return
  for (const page of openPages) {
    const text = await page.locator('body').ariaSnapshot({ timeout: 2_000 })
    console.error(`${page.url()} says:\n${text.slice(0, 4_000)}`)
  }
})
