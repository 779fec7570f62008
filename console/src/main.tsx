import './app.css'
import '@fontsource-variable/inter'
import '@fontsource-variable/jetbrains-mono'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { askAhead } from './app/ahead.ts'
import { currentTier, onSignedOut } from './app/browser.ts'
import { queryClient } from './app/calls.ts'
import { accountNow, keepDrafts } from './app/drafts.ts'
import { applyLocale, startLocale } from './app/locale.ts'
import { followTabs } from './app/other-tabs.ts'
import { loadPhrases } from './app/phrases.ts'
import { placesOf } from './app/places.ts'
import { router } from './app/router.tsx'
import { followTheme } from './app/theme.ts'
import { toasts } from './kit/toasts.ts'

const locale = startLocale()
applyLocale(locale, false)
followTheme()

onSignedOut((tier, fault) => {
  const { pathname, searchStr } = router.state.location
  const { door } = placesOf(tier)
  // Several calls may hear of it: the first has gone to the door.
  if (pathname.startsWith(door)) return
  keepDrafts()
  queryClient.clear()
  toasts.failed(fault.message)
  void router.navigate({ to: door, search: { back: pathname + searchStr } as never, replace: true })
})

followTabs((tier, accountId) => {
  const mine = accountNow()
  if (tier !== currentTier() || mine === undefined || mine === accountId) return
  keepDrafts()
  queryClient.clear()
  // What this tab shows is of another: it begins anew, at the door or as who is signed in now.
  location.assign(accountId === undefined ? placesOf(tier).door : placesOf(tier).home)
})

askAhead()
// The words that every page needs are there before the first one, so that nothing flickers.
await Promise.all([loadPhrases('kit', locale), loadPhrases('app', locale), loadPhrases('errors', locale)])
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
