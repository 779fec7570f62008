/**
 * What the address needs, asked for at once when the console starts. The router asks one thing after the other: who
 * one is, then the page, then what the page shows; on a first visit each of them is a way to the server and back.
 */
import { account } from '@breakwater/contract/account/self.ts'
import { currentTier } from '../platform/browser.ts'
import { queryClient, queryOf } from '../platform/calls.ts'
import { hasSession } from '../platform/session.ts'
import { router } from './router.tsx'

/** Asks for the account and the pages. Whatever fails is asked again, and told, where it is needed. */
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
