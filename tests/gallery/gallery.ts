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
  /** A page of its own; what it complains of on its console is in `complaints`. */
  open: (view?: View) => Promise<{ page: Page; complaints: string[] }>
  close: () => Promise<void>
}

export async function buildGallery(): Promise<Gallery> {
  const folder = await mkdtemp(join(tmpdir(), 'breakwater-gallery-'))
  const build = promisify(execFile)(
    process.execPath,
    [join(import.meta.dirname, '../../node_modules/vite/bin/vite.js'), 'build', '--config', 'gallery.config.ts'],
    { cwd: consoleRoom, env: { ...process.env, GALLERY_OUT: folder, NODE_ENV: 'production' } },
  )
  const [browser] = await Promise.all([openBrowser(), build])
  return {
    open: (view = {}) => open(browser, folder, view),
    async close() {
      await browser.close()
      await rm(folder, { recursive: true })
    },
  }
}

async function open(browser: Browser, folder: string, { width = 1280, ...query }: View) {
  const page = await person(browser, {
    viewport: { width, height: 900 },
    reducedMotion: 'reduce',
    timezoneId: 'Asia/Taipei',
  })
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  await page.route(`${address}/**`, (route) => {
    const { pathname } = new URL(route.request().url())
    // Browsers ask for it by themselves.
    if (pathname === '/favicon.ico') return route.fulfill({ status: 204 })
    return route.fulfill({ path: join(folder, pathname) })
  })
  await page.goto(`${address}/gallery.html?${new URLSearchParams(query)}`)
  await page.locator('[data-ready]').waitFor({ state: 'attached' })
  // What a block loads for itself has come when nothing waits any more.
  await page.waitForFunction(() => document.querySelectorAll('[data-story] .appear-late').length === 0)
  return { page, complaints }
}
