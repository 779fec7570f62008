/**
 * The routes: three consoles, which share their screens, and a page for what is not there. The pages of areas are added
 * when the first address asks for one, so that the sign-in page does not wait for them.
 */
import { shownBrand } from '@breakwater/contract/brand/shown-brand.ts'
import { type Tier, tiers } from '@breakwater/contract/endpoint.ts'
import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { Loading } from '../kit/Loading.tsx'
import { send } from '../platform/browser.ts'
import { Fault } from '../platform/fault.ts'
import { placesOf } from '../platform/places.ts'
import { hasSession } from '../platform/session.ts'
import { within } from '../platform/within.ts'
import type { PlacedPage } from './areas.ts'
import { linksOf, signInPages } from './before-session.ts'
import { CrashPage, NotFoundPage } from './error-pages.tsx'
import { Root } from './Root.tsx'

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

/** A page for people who are not signed in. With a session it redirects to the console. */
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

async function requireVendorConsole(): Promise<void> {
  const isOff = await send(shownBrand.get, {}).then(
    () => false,
    (error: unknown) => error instanceof Fault && error.status === 404,
  )
  if (isOff) throw redirect({ to: '/404' })
}

/** What a console has before there is a session; `$` is every other address of it. */
function consoleRoute(tier: Tier): { tier: Tier; parent: AnyRoute; open: AnyRoute[] } {
  const parent = createRoute({
    getParentRoute: () => root,
    path: tier,
    // A deployment may have no vendor console: the server then serves none of its addresses, and neither does this.
    ...(tier === 'admin' ? { beforeLoad: requireVendorConsole } : {}),
  })
  const home = createRoute({
    getParentRoute: () => parent,
    path: '/',
    beforeLoad: () => {
      throw redirect({ to: placesOf(tier).home })
    },
  })
  const beforeSignIn = signInPages.map(({ path, load }) => atSignIn(parent, tier, path, load))
  const links = linksOf(tier).map(({ path, follow }) =>
    createRoute({ getParentRoute: () => parent, path, beforeLoad: ({ search }) => follow(tier, search) }),
  )
  const open = [home, ...links, ...beforeSignIn]
  const others = createRoute({ getParentRoute: () => parent, path: '$', beforeLoad: findAgain })
  return { tier, parent: parent.addChildren([...open, others]), open }
}

const consoles = tiers.map(consoleRoute)
let adding: Promise<void> | undefined

/** Adds the pages of all areas, once. Routes that are there stay the same, so that what is shown stays. */
export function addPages(): Promise<void> {
  adding ??= import('./inside.tsx').then(({ insideRoute }) => {
    for (const { tier, parent, open } of consoles) parent.addChildren([...open, insideRoute(parent, tier)])
    router.setRoutes(router.buildRouteTree())
  })
  // A chunk that did not arrive is asked for again next time.
  adding.catch(() => {
    adding = undefined
  })
  return adding
}

/** An address that no page has yet is looked for among all of them. */
async function findAgain({ location }: { location: { href: string } }): Promise<never> {
  await within(addPages())
  throw redirect({ href: location.href, replace: true } as never)
}

/** Whether an address is one of those that need no session. */
export const isBeforeSession = (pathname: string): boolean => {
  const [, tier, ...rest] = pathname.split('/')
  const path = rest.join('/')
  if (pathname === '/') return true
  return tiers.some((one) => one === tier) && signInPages.some((page) => page.path === path)
}

export const router = createRouter({
  routeTree: root.addChildren([start, missing, ...consoles.map(({ parent }) => parent), anything]),
  defaultPreload: 'intent',
  defaultPendingComponent: Loading,
  defaultErrorComponent: CrashPage,
  defaultPendingMs: 150,
  scrollRestoration: true,
})
