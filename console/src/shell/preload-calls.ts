/**
 * Fetches what the URL needs as soon as the console starts. The router fetches in sequence: the account, then the page,
 * then its data; on a first visit, each of these is a round trip to the server.
 */
import { account } from '@breakwater/contract/account/self.ts'
import { currentTier } from '../platform/browser.ts'
import { queryClient, queryOf } from '../platform/calls.ts'
import { hasSession } from '../platform/session.ts'
import { router } from './router.tsx'
import { tabScreens } from './screens.ts'

/** Fetches the account, the pages and the fonts. Failures are retried and reported where the data is needed. */
export function preloadCalls(): void {
  const isSignedIn = hasSession(currentTier())
  if (isSignedIn) void queryClient.prefetchQuery(queryOf(account.self, {}))
  const { pathname, search } = router.latestLocation
  const [matched] = router.getMatchedRoutes(pathname)
  for (const { options } of matched) {
    const kind = options.staticData?.page?.tabsOf
    const screens: ReadonlyMap<unknown, Preloaded> = kind ? tabScreens[kind] : new Map()
    const [first] = screens.values()
    const screen = screens.get((search as { tab?: unknown }).tab) ?? first
    Promise.all([options.component?.preload?.(), screen?.preload?.()]).catch(() => undefined)
  }
  // Text that is drawn before its font is there is laid out twice.
  if (isSignedIn) for (const font of fonts) document.fonts.load(font).catch(() => undefined)
}

type Preloaded = { preload?: (() => Promise<void> | undefined) | undefined }
const fonts = ['13px "Inter Variable"', '12px "JetBrains Mono Variable"']
