/** The gallery's page. */
import '../app.css'
import '@fontsource-variable/inter'
import '@fontsource-variable/jetbrains-mono'
import { account } from '@breakwater/contract/account/self.ts'
import { brands } from '@breakwater/contract/brand/brand.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryOf } from '../platform/calls.ts'
import '../words.ts'
import { Gallery } from './Gallery.tsx'

// The links in blocks lead nowhere here, but need a router to render.
const router = createRouter({
  routeTree: createRootRoute({ component: Gallery }),
  history: createMemoryHistory({ initialEntries: ['/'] }),
})

// No server responds here, so the calls of blocks are filled in advance and never become stale.
const client = new QueryClient()
const updatedAt = Date.now() + 86_400_000
const self = { id: 1, account: 'gallery', auth: 'user', permissions: [] }
const brand = { title: '', favicon: '', logo: '', loginImage: '', accent: '' }
client.setQueryData(queryOf(account.self, {}).queryKey, self as never, { updatedAt })
client.setQueryData(queryOf(brands.get, {}).queryKey, brand as never, { updatedAt })

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>
  </StrictMode>,
)
