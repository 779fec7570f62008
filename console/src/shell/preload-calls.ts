/**
 * Fetches what the URL needs as soon as the console starts. The router fetches in sequence: the account, then the page,
 * then its data; on a first visit, each of these is a round trip to the server.
 */
import { account } from '@breakwater/contract/account/self.ts'
import { currentTier } from '../platform/browser.ts'
import { queryClient, queryOf } from '../platform/calls.ts'
import type { SiteTab, ZoneTab } from '../platform/manifest.ts'
import { hasSession } from '../platform/session.ts'
import { siteTabs, zoneTabs } from './areas.ts'
import { loadWords } from './load-words.ts'
import { router } from './router.tsx'
import { siteScreens, zoneScreens } from './tab-screens.ts'

/** Fetches the account, the pages and the fonts. Failures are retried and reported where the data is needed. */
export function preloadCalls(): void {
  const isSignedIn = hasSession(currentTier())
  if (isSignedIn) void queryClient.prefetchQuery(queryOf(account.self, {}))
  const { pathname, search } = router.latestLocation
  const [matched] = router.getMatchedRoutes(pathname)
  for (const { options } of matched) {
    const { tabs, screens } = tabbed[options.staticData?.page?.tabsOf ?? 'none']
    const tab = tabs.find((one) => one.tab === (search as { tab?: unknown }).tab) ?? tabs[0]
    const screen = tab && screens.get(tab.tab)
    Promise.all([options.component?.preload?.(), screen?.preload?.(), loadWords(tab?.words)]).catch(() => undefined)
  }
  // Text that is drawn before its font is there is laid out twice.
  for (const name of isSignedIn ? ['Inter', 'JetBrains Mono'] : []) {
    document.fonts.load(`13px "${name} Variable"`).catch(() => undefined)
  }
}

type Tabbed = { tabs: readonly (SiteTab | ZoneTab)[]; screens: typeof siteScreens | typeof zoneScreens }
const tabbed: Record<'site' | 'zone' | 'none', Tabbed> = {
  site: { tabs: siteTabs, screens: siteScreens },
  zone: { tabs: zoneTabs, screens: zoneScreens },
  none: { tabs: [], screens: new Map() },
}
