/** The machine's Chromium for edge tests: hosts under .test resolve to this machine. Waits as long as other tests. */
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const patienceMs = 120_000

/** Runs `look` with a page in a separate browser. `args` are additional command-line options of the browser. */
export async function withPage(
  look: (page: Page) => Promise<void>,
  { args = [], ...context }: BrowserContextOptions & { args?: string[] } = {},
): Promise<void> {
  const browser: Browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--host-resolver-rules=MAP *.test 127.0.0.1', ...args],
    timeout: patienceMs,
  })
  try {
    const page = await browser.newPage(context)
    page.setDefaultTimeout(patienceMs)
    await look(page)
  } finally {
    await browser.close()
  }
}
