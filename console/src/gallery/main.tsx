/** The gallery's page. */
import '../app.css'
import '@fontsource-variable/inter'
import '@fontsource-variable/jetbrains-mono'
import { brands } from '@breakwater/contract/brand/brand.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryOf } from '../app/calls.ts'
import { Gallery } from './Gallery.tsx'

// Links of blocks lead nowhere here, but need a router to be drawn.
const router = createRouter({
  routeTree: createRootRoute({ component: Gallery }),
  history: createMemoryHistory({ initialEntries: ['/'] }),
})

// No server answers here, so the one call that a block makes is answered before.
const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } })
client.setQueryData(queryOf(brands.get, {}).queryKey, {
  title: '',
  favicon: '',
  logo: '',
  loginImage: '',
  accent: '',
} as never)

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <RouterProvider router={router as never} />
    </QueryClientProvider>
  </StrictMode>,
)
