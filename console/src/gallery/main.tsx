/** The gallery's page: `?theme=dark&locale=zh_TW&story=Menu` chooses what is seen. */
import '../app.css'
import '@fontsource-variable/inter'
import '@fontsource-variable/jetbrains-mono'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { applyLocale, type Locale, locales } from '../app/locale.ts'
import { loadPhrases } from '../app/phrases.ts'
import { Gallery } from './Gallery.tsx'

const query = new URLSearchParams(location.search)
const asked = query.get('locale')
const locale = asked !== null && asked in locales ? (asked as Locale) : 'en_US'
applyLocale(locale, false)
document.documentElement.classList.toggle('dark', query.get('theme') === 'dark')

// Links of blocks lead nowhere here, but need a router to be drawn.
const router = createRouter({
  routeTree: createRootRoute({ component: () => <Gallery only={query.get('story')} /> }),
  history: createMemoryHistory({ initialEntries: ['/'] }),
})

await Promise.all([loadPhrases('kit', locale), loadPhrases('errors', locale)])
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>
  </StrictMode>,
)
