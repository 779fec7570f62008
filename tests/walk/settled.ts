/** When a page may be looked at: what it asked is answered, and nothing of it moves any more. */
import type { Page, Request } from 'playwright-core'
import { until } from '../harness/until.ts'

type Moving = { playState: string; effect: { getTiming: () => { iterations?: number } } | null }
// Of the page, where some functions below run. Not the types of a browser: the benches read this file beside the server's.
declare const document: {
  getAnimations: () => Moving[]
  querySelector: (selector: string) => { scrollIntoView: () => void } | null
}
declare const requestAnimationFrame: (then: (at: unknown) => void) => void

const unanswered = new WeakMap<Page, Set<Request>>()
/** What a page shows depends on these; pictures and fonts may come later. */
const kinds = ['fetch', 'xhr', 'script', 'stylesheet']

/** From now on it is known what the page waits for. A stream is answered once it has begun: it ends with the page. */
export function watchRequests(page: Page): void {
  const waiting = new Set<Request>()
  unanswered.set(page, waiting)
  const forget = (request: Request) => waiting.delete(request)
  page.on('request', (request) => {
    // What the page before asked is nobody's any more.
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

/** Runs in the page: ends when no part of it fades or slides. */
async function nothingMoves() {
  const isOver = ({ playState, effect }: Moving) =>
    // What turns as long as something is waited for never ends, and moves nothing else.
    playState !== 'running' || effect?.getTiming().iterations === Number.POSITIVE_INFINITY
  do {
    // A change begins to fade with the frame that shows it.
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  } while (!document.getAnimations().every(isOver))
}

/** Waits until all is answered and nothing moves, and then evaluates an expression in the page before anything else can begin there. */
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

/** Waits until all is loaded, what waits to be looked at too, and nothing moves: what fades in is not read half way. */
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    document.querySelector('[data-loads-when-near]')?.scrollIntoView()
    return document.querySelector('.skeleton, [data-loading], [data-loads-when-near]') === null
  })
  await whenStill(page)
}
