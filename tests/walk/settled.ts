/** When a page is ready to be checked: its requests are answered, and nothing on it moves any more. */
import type { Page, Request } from 'playwright-core'
import { until } from '../harness/until.ts'

type Moving = { playState: string; effect: { getTiming: () => { iterations?: number } } | null }
// The page's globals, which some functions below use. Not the browser's types: the benches use this file together with
// the server's.
declare const document: {
  getAnimations: () => Moving[]
  querySelector: (selector: string) => { scrollIntoView: () => void } | null
}
declare const requestAnimationFrame: (then: (at: unknown) => void) => void

const unanswered = new WeakMap<Page, Set<Request>>()
/** What a page shows depends on these; pictures and fonts may come later. */
const kinds = ['fetch', 'xhr', 'script', 'stylesheet']

/**
 * From now on tracks which responses the page is waiting for. A stream counts as answered once it has begun: it ends
 * with the page.
 */
export function watchRequests(page: Page): void {
  const waiting = new Set<Request>()
  unanswered.set(page, waiting)
  const forget = (request: Request) => waiting.delete(request)
  page.on('request', (request) => {
    // Requests of the previous page no longer matter.
    if (request.isNavigationRequest()) waiting.clear()
    else if (kinds.includes(request.resourceType())) waiting.add(request)
  })
  page.on('requestfinished', forget)
  page.on('requestfailed', forget)
  page.on('response', (response) => {
    if (response.request().isNavigationRequest()) waiting.clear()
    if (response.headers()['content-type']?.startsWith('text/event-stream')) forget(response.request())
  })
}

/** Runs in the page: resolves when no part of it fades or slides. */
async function nothingMoves() {
  const isOver = ({ playState, effect }: Moving) =>
    // A spinner turns without end while something is loading, and moves nothing else.
    playState !== 'running' || effect?.getTiming().iterations === Number.POSITIVE_INFINITY
  do {
    // A transition starts with the frame that shows the change.
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  } while (!document.getAnimations().every(isOver))
}

/**
 * Waits until all requests are answered and nothing moves, and then evaluates an expression in the page before anything
 * else can start there.
 */
export async function whenStill<T>(page: Page, expression = 'undefined'): Promise<T> {
  const waiting = unanswered.get(page)
  await until(
    'answers to what the page asked',
    async () => waiting === undefined || waiting.size === 0,
    90_000,
    20,
  ).catch((error: Error) => {
    throw new Error(`${error.message}: ${[...(waiting ?? [])].map((one) => one.url()).join(' ')}`)
  })
  return page.evaluate(`(${nothingMoves})().then(() => ${expression})`) as Promise<T>
}

/**
 * Waits until everything is loaded, including what loads when scrolled into view, and nothing moves: so that no fade-in
 * is checked halfway.
 */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    document.querySelector('[data-loads-when-near]')?.scrollIntoView()
    return document.querySelector('.skeleton, [data-loading], [data-loads-when-near]') === null
  })
  await whenStill(page)
}
