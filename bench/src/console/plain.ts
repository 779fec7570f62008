/** The console's baselines: the same rows as a plain HTML table, the same points in a bare uPlot. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '../../../tests/walk/browser.ts'

const address = 'http://plain.localhost'

/** Opens a page with this HTML on an origin of its own. */
async function open(page: Page, html: string): Promise<void> {
  await page.route(`${address}/**`, (route) =>
    route.request().url().endsWith('/') ? route.fulfill({ contentType: 'text/html', body: html }) : route.abort(),
  )
  await page.goto(`${address}/`)
}

/** The texts of a table's rows, as the console shows them. */
export const rowsOf = (page: Page): Promise<string[][]> =>
  page.evaluate<string[][]>(
    "[...document.querySelectorAll('tbody tr')].map((row) => [...row.cells].map((cell) => cell.textContent))",
  )

/** Opens a table of these rows, each with a checkbox; the first checkbox selects all. */
export async function openTable(page: Page, rows: string[][]): Promise<void> {
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  const body = rows
    .map((row) => `<tr><td><input type=checkbox>${row.map((text) => `<td>${escaped(text)}`).join('')}`)
    .join('\n')
  await open(
    page,
    `<!doctype html><input type=checkbox id=all onclick="
      for (const row of document.querySelectorAll('tr')) { row.dataset.chosen = true; row.querySelector('input').checked = true }
    "><table>${body}</table>`,
  )
}

/** Time from the response text until a bare uPlot has painted its points, in ms. */
export async function drawBare(page: Page, answer: string): Promise<number> {
  await open(page, '<!doctype html><main></main>')
  await page.addScriptTag({
    content: readFileSync(createRequire(import.meta.url).resolve('uplot/dist/uPlot.iife.min.js'), 'utf8'),
  })
  return page.evaluate<number>(`watch.bare(${JSON.stringify(answer)})`)
}
