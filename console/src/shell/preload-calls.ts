/**
 * Fetches what the URL needs as soon as the console starts. The router fetches in sequence: the account, then the page,
 * then its data; on a first visit, each of these is a round trip to the server.
 */
import { account } from '@breakwater/contract/account/self.ts'
import { currentTier } from '../platform/browser.ts'
import { queryClient, queryOf } from '../platform/calls.ts'
import { hasSession } from '../platform/session.ts'
import { router } from './router.tsx'

/** Fetches the account and the pages. Failures are retried and reported where the data is needed. */
export function preloadCalls(): void {
  if (hasSession(currentTier())) void queryClient.prefetchQuery(queryOf(account.self, {}))
  const { pathname, search } = router.latestLocation
  const [matched] = router.getMatchedRoutes(pathname)
  for (const { options } of matched) {
    const page = options.staticData?.page
    const loads = [options.component?.preload?.(), page?.loadPart?.(search)]
    Promise.all(loads).catch(() => undefined)
  }
}
