/**
 * How fast the console is in a real Chromium with a CPU throttled four times, compared with the targets: the first
 * table of a hundred rows, selecting all of them, a page change with cached data, interaction to next paint, a chart of
 * 26,784 points; and how much a first visit loads. Each is compared with a baseline from the same run.
 * Run: `node bench/src/console.ts [rounds] [parts]`, after `npm run build -w console`; parts are any of `sizes table
 * select switch interaction chart`.
 */
import { availableParallelism, cpus, loadavg } from 'node:os'
import { timeSeriesPageSizeMax } from '@breakwater/contract/paging.ts'
import { seriesTypes } from '@breakwater/contract/statistics/statistics.ts'
import type { BrowserContext, Page } from '../../tests/walk/browser.ts'
import { openBrowser, person, signIn } from '../../tests/walk/browser.ts'
import { firstVisit, sumKB } from '../../tests/walk/first-visit.ts'
import { drawBare, openTable, rowsOf } from './console/plain.ts'
import { startConsole } from './console/server.ts'
import { answerUntilDrawn, paintedAt, pressUntil, slowDown, slowestInteraction, watchPage } from './console/watch.ts'

const rounds = Number(process.argv[2] ?? 5)
const parts = process.argv.slice(3)
const has = (part: string) => parts.length === 0 || parts.includes(part)
const rows = 100
const slow = 4
await using ends = new AsyncDisposableStack()
const server = await startConsole(rows)
ends.defer(() => server.stop())
const browser = await openBrowser('/usr/bin/chromium')
// Closed before the server, which waits for the streams of open pages.
ends.defer(() => browser.close())
const domains = `${server.url}/user/sitesManagement/sitesSetting/${server.siteId}/shop?tab=domains&pageSize=${rows}`
const accounts = `${server.url}/user/userManagement/usersList`
const row = 'tbody tr[tabindex]'

const first = await person(browser)
await signIn(first, server, 'user')
const storageState = await first.context().storageState()
await first.context().close()

/** A page in a fresh browser context (empty cache) that is signed in. */
async function openPage(rate: number): Promise<Page> {
  const page = await person(browser, {
    storageState: storageState as Awaited<ReturnType<BrowserContext['storageState']>>,
  })
  await watchPage(page)
  await slowDown(page, rate)
  return page
}

const middle = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!

/** Repeats a measurement, each time on a new page, and returns the median. */
async function measure(rate: number, run: (page: Page) => Promise<number>): Promise<number> {
  const values: number[] = []
  for (let round = 0; round < rounds; round++) {
    const page = await openPage(rate)
    values.push(await run(page))
    await page.context().close()
  }
  return middle(values)
}

function tell(what: string, ms: number, limitMs: number, baseline: string, baseMs: number): void {
  const verdict = ms < limitMs ? 'kept' : 'OVER'
  const ratio = `${(ms / baseMs).toFixed(1)} × ${baseline} (${baseMs.toFixed(0)} ms)`
  console.log(
    `${what.padEnd(46)} ${ms.toFixed(0).padStart(5)} ms of ${String(limitMs).padStart(4)} ${verdict}   ${ratio}`,
  )
}

const load = () => loadavg().map((part) => part.toFixed(1))
console.log(`${cpus()[0]?.model}, ${availableParallelism()} processors, load ${load().join(' ')}; middle of ${rounds}`)

if (has('sizes')) {
  for (const { name, path, ready, isSignedIn, limitKB } of [
    { name: 'sign-in', path: '/user/login', ready: 'input[type=password]', isSignedIn: false, limitKB: 210 },
    { name: 'a table', path: '/user/sitesManagement/sites', ready: 'table', isSignedIn: true, limitKB: 290 },
    { name: 'statistics', path: '/user/dataAnalysis/statistics', ready: 'canvas', isSignedIn: true, limitKB: 330 },
  ]) {
    const page = await person(browser, isSignedIn ? { storageState } : {})
    const visit = await firstVisit(page, server.url + path, ready)
    await page.context().close()
    const sum = sumKB(visit)
    const told = `${sum.toFixed(1)} KB of ${limitKB} ${sum <= limitKB ? 'kept' : 'OVER'}`
    console.log(`first load, gzip: ${name.padEnd(28)} ${told}, ${visit.sizes.size} files, ${visit.calls.length} calls`)
  }
}

const fill = await openPage(1)
await fill.goto(domains)
await paintedAt(fill, row, rows)
const texts = await rowsOf(fill)
await fill.context().close()

/** Measures on a plain HTML table of the same rows. */
const plainTable = (run: (page: Page) => Promise<number>) =>
  measure(slow, async (page) => {
    await openTable(page, texts)
    return run(page)
  })

const firstTable = async (page: Page) => {
  await page.goto(domains, { waitUntil: 'commit' })
  return paintedAt(page, row, rows)
}
if (has('table')) {
  const slowTable = await measure(slow, firstTable)
  tell('first table of 100 rows', slowTable, 1500, 'the same unthrottled', await measure(1, firstTable))
  const plainAt = await plainTable((page) => paintedAt(page, 'tr', rows))
  tell('', slowTable, 1500, 'a plain HTML table of them', plainAt)
}

if (has('select')) {
  const selectAll = await measure(slow, async (page) => {
    await firstTable(page)
    return pressUntil(
      page,
      page.getByRole('checkbox', { name: 'Select all on this page' }).first(),
      'tr[data-chosen]',
      rows,
    )
  })
  const plainAll = await plainTable((page) => pressUntil(page, page.locator('#all'), 'tr[data-chosen]', rows))
  tell('select all of 100 rows', selectAll, 100, 'a plain HTML table', plainAll)
}

/** There and back once, so that everything is cached, and then there again. */
const warmSwitch = async (page: Page) => {
  const link = (name: string) =>
    page.getByRole('navigation', { name: 'Main navigation' }).getByRole('link', { name, exact: true })
  await page.goto(accounts)
  await paintedAt(page, row, 20)
  await pressUntil(page, link('Roles'), 'main h1')
  await page.getByRole('heading', { name: 'Roles', level: 1 }).waitFor()
  await pressUntil(page, link('Members'), row, 20)
  await page.waitForLoadState('networkidle')
  const times: number[] = []
  await page.evaluate("document.querySelector('h1').dataset.old = ''")
  times.push(await pressUntil(page, link('Roles'), 'h1:not([data-old])'))
  await page.waitForLoadState('networkidle')
  times.push(await pressUntil(page, link('Members'), row, 20))
  return Math.max(...times)
}
if (has('switch')) {
  const slowSwitch = await measure(slow, warmSwitch)
  tell('route switch with warm data', slowSwitch, 100, 'the same unthrottled', await measure(1, warmSwitch))
}

/** Typical actions on a list, one after the other. Returns the slowest and its name. */
async function interact(page: Page): Promise<{ name: string; duration: number }> {
  await firstTable(page)
  await page.waitForLoadState('networkidle')
  await slowestInteraction(page)
  let worst = { name: '', duration: 0 }
  const step = async (name: string, run: () => Promise<unknown>) => {
    await run()
    await page.waitForLoadState('networkidle')
    const duration = await slowestInteraction(page)
    if (duration > worst.duration) worst = { name, duration }
  }
  await step('choose a row', () => page.locator(row).first().getByRole('checkbox').click())
  await step('clear the choice', () => page.keyboard.press('Escape'))
  await step('sort', () => page.getByRole('columnheader').getByRole('button').first().click())
  await step('search', () => page.getByRole('searchbox').pressSequentially('host-1'))
  await step('clear the search', () => page.getByRole('searchbox').fill(''))
  await step('open a row', () => page.locator(`${row} button`).first().click())
  await step('close it', () => page.keyboard.press('Escape'))
  await step('open the account menu', () => page.getByRole('button', { name: 'Account menu' }).click())
  await step('close it', () => page.keyboard.press('Escape'))
  await step('open the palette', () => page.keyboard.press('Control+k'))
  await step('type into it', () => page.keyboard.type('stat'))
  await step('close it', () => page.keyboard.press('Escape'))
  return worst
}
if (has('interaction')) {
  let worst = { name: '', duration: 0 }
  const slowest = await measure(slow, async (page) => {
    worst = await interact(page)
    return worst.duration
  })
  const calmest = await measure(1, async (page) => (await interact(page)).duration)
  tell(`interaction to next paint (${worst.name})`, slowest, 200, 'the same unthrottled', Math.max(8, calmest))
}

const stepSeconds = 300
/** The maximum number of points of a chart, from this second on, in the format of the API response. */
function seriesFrom(startTime: number): string {
  const data = Array.from({ length: timeSeriesPageSizeMax }, (_, at) => ({
    time: startTime + at * stepSeconds,
    value: { pass: Math.round(1e9 * (1.5 + Math.sin(at / 288))), drop: (at * 7919) % 1e8 },
  }))
  const until = startTime + data.length * stepSeconds
  return JSON.stringify({ data, total: data.length, minutesStep: stepSeconds / 60, until })
}

/** The first chart of the statistics when it goes back 93 days and receives all of these points. */
const chart = async (page: Page) => {
  let isLarge = false
  await page.route('**/statistics/timeSeries', (route) => {
    const { type, startTime } = route.request().postDataJSON() as { type: number; startTime: number }
    return isLarge && type === seriesTypes.bandwidth
      ? route.fulfill({ contentType: 'application/json', body: seriesFrom(startTime) })
      : route.continue()
  })
  await page.goto(`${server.url}/user/dataAnalysis/statistics?range=93d`)
  await page.locator('canvas').first().waitFor()
  await page.waitForLoadState('networkidle')
  isLarge = true
  return answerUntilDrawn(page, 'Bandwidth', () => page.getByRole('button', { name: 'Earlier' }).click())
}
const answer = seriesFrom(1_700_000_100)
if (has('chart')) {
  for (const rate of [1, slow]) {
    const bare = await measure(rate, (page) => drawBare(page, answer))
    const name = rate === 1 ? 'chart of 26,784 points' : `the same, ${rate} times slower`
    tell(name, await measure(rate, chart), 100, 'a bare uPlot', bare)
  }
}

console.log(`load ${load().join(' ')}`)
