/** What a browser on its first visit loads for a URL: all scripts and styles, and the calls that it makes. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

export const dist = join(import.meta.dirname, '../../console/dist')

export type Visit = {
  /** Gzipped bytes by file. */
  sizes: Map<string, number>
  /** API paths that were called, once per call. */
  calls: string[]
  /** Files that arrived uncompressed. */
  unpacked: string[]
}

/** Opens the URL, and waits until `ready` is there and nothing is loading any more. */
export async function firstVisit(page: Page, url: string, ready: string): Promise<Visit> {
  const visit: Visit = { sizes: new Map(), calls: [], unpacked: [] }
  page.on('response', (response) => {
    const name = new URL(response.url()).pathname
    if (name.startsWith('/api/')) visit.calls.push(name)
    if (!['script', 'stylesheet'].includes(response.request().resourceType())) return
    if (!response.headers()['content-encoding']) visit.unpacked.push(name)
    // The browser may have used brotli; the budgets are in gzip, whose file is next to it.
    visit.sizes.set(name, statSync(join(dist, `${name}.gz`)).size)
  })
  await page.goto(url)
  await page.locator(ready).first().waitFor()
  await page.waitForLoadState('networkidle')
  return visit
}

/** The total in KB. */
export const sumKB = ({ sizes }: Visit): number => [...sizes.values()].reduce((sum, size) => sum + size, 0) / 1000
