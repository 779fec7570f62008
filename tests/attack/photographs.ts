/**
 * Screenshots of the console during the attack, if `BREAKWATER_PICTURES` names a folder; otherwise the pages are only
 * opened.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { settled } from '../walk/settled.ts'

const folder = process.env.BREAKWATER_PICTURES

/** Opens console pages and takes screenshots. `base` is the console's URL, such as `http://127.0.0.1:8000/user`. */
export const photographer = (page: Page, base: string) => async (name: string, path: string) => {
  await page.goto(`${base}${path}`)
  // Before that, there is nothing that could still be loading.
  await page.getByRole('heading', { level: 1 }).waitFor()
  await settled(page)
  if (!folder) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true })
}
