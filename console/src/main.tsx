import './app.css'
import '@fontsource-variable/inter'
import '@fontsource-variable/jetbrains-mono'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { currentTier, onSignedOut } from './platform/browser.ts'
import { queryClient } from './platform/calls.ts'
import { accountNow, keepDrafts } from './platform/drafts.ts'
import { tellEnded } from './platform/ended.ts'
import { applyLocale, startLocale } from './platform/locale.ts'
import { followTabs } from './platform/other-tabs.ts'
import { preloadCalls } from './shell/preload-calls.ts'
import './rule-kinds.ts'
import './words.ts'
import { loadPhrases } from './platform/phrases.ts'
import { placesOf } from './platform/places.ts'
import { followTheme } from './platform/theme.ts'
import { toasts } from './platform/toasts.ts'
import { router } from './shell/router.tsx'

const locale = startLocale()
applyLocale(locale, false)
followTheme()

onSignedOut((tier, fault) => {
  const { pathname, searchStr } = router.state.location
  const { signIn } = placesOf(tier)
  // Several calls may report the end of the session: the first has already navigated to the sign-in page.
  if (pathname.startsWith(signIn)) return
  keepDrafts()
  queryClient.clear()
  toasts.failed(fault.message)
  tellEnded(fault.message.replace(/[.!。！]+$/, ''))
  void router.navigate({ to: signIn, search: { back: pathname + searchStr } as never, replace: true })
})

followTabs((tier, accountId) => {
  const mine = accountNow()
  if (tier !== currentTier() || mine === undefined || mine === accountId) return
  keepDrafts()
  queryClient.clear()
  // Another tab signed out or switched accounts: this tab reloads, at the sign-in page or as the current account.
  location.assign(accountId === undefined ? placesOf(tier).signIn : placesOf(tier).home)
})

preloadCalls()
// The phrases that every page needs are loaded before the first render, so that nothing flickers.
await Promise.all([loadPhrases('kit', locale), loadPhrases('platform', locale), loadPhrases('errors', locale)])
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
