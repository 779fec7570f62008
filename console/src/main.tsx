import './app.css'
import '@fontsource-variable/inter'
import '@fontsource-variable/jetbrains-mono'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { onSignedOut } from './app/browser.ts'
import { queryClient } from './app/calls.ts'
import { applyLocale, startLocale } from './app/locale.ts'
import { loadPhrases } from './app/phrases.ts'
import { placesOf } from './app/places.ts'
import { router } from './app/router.tsx'
import { followTheme } from './app/theme.ts'
import { toasts } from './kit/toasts.ts'

const locale = startLocale()
applyLocale(locale, false)
followTheme()

onSignedOut((tier, fault) => {
  queryClient.clear()
  toasts.failed(fault.message)
  const { pathname, searchStr } = router.state.location
  void router.navigate({ to: placesOf(tier).door, search: { back: pathname + searchStr } as never, replace: true })
})

// The words that every page needs are there before the first one, so that nothing flickers.
await Promise.all([loadPhrases('kit', locale), loadPhrases('app', locale), loadPhrases('errors', locale)])
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
