/** What a browser that was never here before gets for an address: everything that runs or styles, and the calls it asks. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

export const dist = join(import.meta.dirname, '../../console/dist')

export type Visit = {
  /** Gzipped bytes by file. */
  sizes: Map<string, number>
  /** Paths of the API that were asked, as often as they were. */
  calls: string[]
  /** Files that came without being packed. */
  unpacked: string[]
}

/** Opens the address, and waits until this is there and nothing is loaded any more. */
export async function firstVisit(page: Page, url: string, ready: string): Promise<Visit> {
  const visit: Visit = { sizes: new Map(), calls: [], unpacked: [] }
  page.on('response', (response) => {
    const name = new URL(response.url()).pathname
    if (name.startsWith('/api/')) visit.calls.push(name)
    if (!['script', 'stylesheet'].includes(response.request().resourceType())) return
    if (!response.headers()['content-encoding']) visit.unpacked.push(name)
    // The browser may have taken brotli; the budgets are said in gzip, which lies beside.
    visit.sizes.set(name, statSync(join(dist, `${name}.gz`)).size)
  })
  await page.goto(url)
  await page.locator(ready).first().waitFor()
  await page.waitForLoadState('networkidle')
  return visit
}

/** All of it in KB. */
export const sumKB = ({ sizes }: Visit): number => [...sizes.values()].reduce((sum, size) => sum + size, 0) / 1000
