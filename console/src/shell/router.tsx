/** The routes: three consoles that share their screens, and a "not found" page. */
import { shownBrand } from '@breakwater/contract/brand/shown-brand.ts'
import { type Tier, tiers } from '@breakwater/contract/endpoint.ts'
import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  type ErrorComponentProps,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { Loading } from '../kit/Loading.tsx'
import { send } from '../platform/browser.ts'
import { Fault } from '../platform/fault.ts'
import { placesOf } from '../platform/places.ts'
import { hasSession, requireSession } from '../platform/session.ts'
import { within } from '../platform/within.ts'
import { linksOf, type PlacedPage, pagesOf, signInPages } from './areas.ts'
import { CrashPage, NotFoundInside, NotFoundPage } from './error-pages.tsx'
import { loadWords } from './load-words.ts'
import { Root } from './Root.tsx'
import { screenOf } from './screens.ts'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    page?: PlacedPage
  }
}

const root = createRootRoute({ component: Root, errorComponent: CrashPage })

const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: placesOf('user').signIn })
  },
})
const missing = createRoute({ getParentRoute: () => root, path: '/404', component: NotFoundPage })
const anything = createRoute({
  getParentRoute: () => root,
  path: '$',
  beforeLoad: () => {
    throw redirect({ to: '/' })
  },
})

/** A page for people who are not signed in. With a session, it redirects to the console. */
function atSignIn(parent: AnyRoute, tier: Tier, path: string, load: PlacedPage['load']): AnyRoute {
  return createRoute({
    getParentRoute: () => parent,
    path,
    component: lazyRouteComponent(async () => ({ default: await load() })),
    beforeLoad: () => {
      if (hasSession(tier)) throw redirect({ to: placesOf(tier).home })
    },
  })
}

/** Loads the frame together with its words. */
async function loadShell() {
  const [{ Shell }] = await within(Promise.all([import('./Shell.tsx'), loadWords(['shell'])]))
  return { default: Shell }
}

async function requireVendorConsole(): Promise<void> {
  const isOff = await send(shownBrand.get, {}).then(
    () => false,
    (error: unknown) => error instanceof Fault && error.status === 404,
  )
  if (isOff) throw redirect({ to: '/404' })
}

function consoleRoute(tier: Tier): AnyRoute {
  const parent = createRoute({
    getParentRoute: () => root,
    path: tier,
    // A deployment may have no vendor console: the server then does not serve its URLs, and neither does this router.
    ...(tier === 'admin' ? { beforeLoad: requireVendorConsole } : {}),
  })
  const home = createRoute({
    getParentRoute: () => parent,
    path: '/',
    beforeLoad: () => {
      throw redirect({ to: placesOf(tier).home })
    },
  })
  const inside = createRoute({
    getParentRoute: () => parent,
    id: 'inside',
    async beforeLoad({ location, matches }) {
      // A page that does not exist must not become the target after a sign-in.
      if (matches.at(-1)?.fullPath.endsWith('$') && !hasSession(tier)) throw redirect({ to: '/404' })
      await requireSession(tier, location.pathname, location.searchStr)
    },
    component: lazyRouteComponent(loadShell),
    pendingComponent: Loading,
    errorComponent: CrashPage as (props: ErrorComponentProps) => React.ReactNode,
  })
  const unknown = createRoute({ getParentRoute: () => inside, path: '$', component: NotFoundInside })
  const screens = pagesOf(tier).map((page) =>
    createRoute({
      getParentRoute: () => inside,
      path: page.path,
      component: screenOf(page),
      staticData: { page },
    }),
  )
  const beforeSignIn = signInPages.map(({ path, load }) => atSignIn(parent, tier, path, load))
  const links = linksOf(tier).map(({ path, follow }) =>
    createRoute({ getParentRoute: () => parent, path, beforeLoad: ({ search }) => follow(tier, search) }),
  )
  return parent.addChildren([home, ...links, ...beforeSignIn, inside.addChildren([...screens, unknown])])
}

export const router = createRouter({
  routeTree: root.addChildren([start, missing, ...tiers.map(consoleRoute), anything]),
  defaultPreload: 'intent',
  defaultPendingComponent: Loading,
  defaultErrorComponent: CrashPage,
  defaultPendingMs: 150,
  scrollRestoration: true,
})
