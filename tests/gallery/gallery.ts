/// <reference lib="dom" />
/** The kit gallery, built once and opened without a server: each request is answered from the built files. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { openBrowser, person } from '../walk/browser.ts'

const consoleRoom = join(import.meta.dirname, '../../console')
const address = 'http://gallery.localhost'

export type View = { story?: string; theme?: 'light' | 'dark'; locale?: string; width?: number }
export type Gallery = {
  page: Page
  /** Shows a view from the start: whatever was typed or opened before is gone. */
  show: (view?: View) => Promise<void>
  /** Messages on the page's console since the last call. */
  complaints: () => string[]
  close: () => Promise<void>
}

export async function openGallery(): Promise<Gallery> {
  const folder = await mkdtemp(join(tmpdir(), 'breakwater-gallery-'))
  const build = promisify(execFile)(
    process.execPath,
    [join(import.meta.dirname, '../../node_modules/vite/bin/vite.js'), 'build', '--config', 'gallery.config.ts'],
    { cwd: consoleRoom, env: { ...process.env, GALLERY_OUT: folder, NODE_ENV: 'production' } },
  )
  const [browser] = await Promise.all([openBrowser(), build])
  const { page, complaints } = await visit(browser, folder)
  let nth = 0
  return {
    page,
    async show({ width = 1280, ...query } = {}) {
      nth += 1
      const hash = new URLSearchParams({ ...query, nth: String(nth) }).toString()
      await page.setViewportSize({ width, height: 900 })
      await page.mouse.move(0, 0)
      await page.evaluate((next) => {
        location.hash = next
      }, hash)
      // A block has loaded its data when nothing is waiting any more, neither for data nor to scroll into view.
      await page.waitForFunction((at) => {
        document.querySelector('[data-loads-when-near]')?.scrollIntoView()
        return (
          document.querySelector<HTMLElement>('[data-ready]')?.dataset.ready === at &&
          !document.querySelector('[data-loads-when-near], [data-story]:not([data-waits]) .appear-late')
        )
      }, hash)
    },
    complaints: () => complaints.splice(0),
    async close() {
      await browser.close()
      await rm(folder, { recursive: true })
    },
  }
}

async function visit(browser: Browser, folder: string) {
  const page = await person(browser, { reducedMotion: 'reduce', timezoneId: 'Asia/Taipei' })
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  await page.route(`${address}/**`, (route) => {
    const { pathname } = new URL(route.request().url())
    // Browsers request it by themselves.
    if (pathname === '/favicon.ico') return route.fulfill({ status: 204 })
    return route.fulfill({ path: join(folder, pathname) })
  })
  await page.goto(`${address}/gallery.html`)
  await page.locator('[data-ready]').waitFor({ state: 'attached' })
  return { page, complaints }
}
