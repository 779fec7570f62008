/** The routes: three doors, the same screens behind them, and a page for what is not there (rules A). */
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
import { CrashPage, Loading, NotFoundPage } from './edges.tsx'
import { currentLocale } from './locale.ts'
import { type Page, pages } from './pages.ts'
import { loadPhrases } from './phrases.ts'
import { placesOf } from './places.ts'
import { Root } from './Root.tsx'
import { hasSession, requireSession } from './session.ts'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    page?: Page
  }
}

const root = createRootRoute({ component: Root, errorComponent: CrashPage })

const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: placesOf('user').door })
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

/** A page before the door. Someone with a session has no business there. */
function atDoor(parent: AnyRoute, tier: Tier, path: string, load: Page['load']): AnyRoute {
  return createRoute({
    getParentRoute: () => parent,
    path,
    component: lazyRouteComponent(async () => ({ default: await load() })),
    beforeLoad: () => {
      if (hasSession(tier)) throw redirect({ to: placesOf(tier).home })
    },
  })
}

/** A page's screen; its words arrive beside it. */
async function loadWithWords({ load, words = [] }: Page): ReturnType<Page['load']> {
  const locale = currentLocale()
  const [Screen] = await Promise.all([load(), ...words.map((area) => loadPhrases(area, locale))])
  return Screen
}

function door(tier: Tier): AnyRoute {
  const parent = createRoute({ getParentRoute: () => root, path: tier })
  const home = createRoute({
    getParentRoute: () => parent,
    path: '/',
    beforeLoad: () => {
      throw redirect({ to: placesOf(tier).home })
    },
  })
  const unknown = createRoute({
    getParentRoute: () => parent,
    path: '$',
    beforeLoad: () => {
      throw redirect({ to: '/404' })
    },
  })
  const inside = createRoute({
    getParentRoute: () => parent,
    id: 'inside',
    beforeLoad: ({ location }) => requireSession(tier, location.pathname, location.searchStr),
    component: lazyRouteComponent(() => import('./Shell.tsx'), 'Shell'),
    pendingComponent: Loading,
    errorComponent: CrashPage as (props: ErrorComponentProps) => React.ReactNode,
  })
  const password = createRoute({
    getParentRoute: () => inside,
    path: 'changePassword',
    component: lazyRouteComponent(() => import('../auth/ChangePasswordScreen.tsx'), 'ChangePasswordScreen'),
    staticData: {
      page: { path: 'changePassword', title: 'nav.password', group: 'nav.account', load: async () => () => null },
    },
  })
  const screens = pages[tier].map((page) =>
    createRoute({
      getParentRoute: () => inside,
      path: page.path,
      component: lazyRouteComponent(async () => ({ default: await loadWithWords(page) })),
      staticData: { page },
    }),
  )
  const signIn = atDoor(parent, tier, 'login', () =>
    import('../auth/SignInScreen.tsx').then((file) => file.SignInScreen),
  )
  const verify = atDoor(parent, tier, 'login/verifyAccount', () =>
    import('../auth/VerifyScreen.tsx').then((file) => file.VerifyScreen),
  )
  const createPassword = atDoor(parent, tier, 'login/createPassword', () =>
    import('../auth/CreatePasswordScreen.tsx').then((file) => file.CreatePasswordScreen),
  )
  const forgotPassword = atDoor(parent, tier, 'login/forgotPassword', () =>
    import('../auth/ForgotPasswordScreen.tsx').then((file) => file.ForgotPasswordScreen),
  )
  const ssoReturn = atDoor(parent, tier, 'login/sso', () =>
    import('../auth/SsoReturnScreen.tsx').then((file) => file.SsoReturnScreen),
  )
  const verifyMail = createRoute({
    getParentRoute: () => parent,
    path: 'verifyMail',
    beforeLoad: async ({ search }) =>
      (await import('../auth/verify-mail.ts')).followMailLink(tier, (search as { token?: unknown }).token),
  })
  // The list of the specification can be read with these names too (gaps R-10).
  const aliases = (['verifyAccount', 'createPassword'] as const).map((path) =>
    createRoute({
      getParentRoute: () => parent,
      path,
      beforeLoad: ({ search }) => {
        throw redirect({ to: `/${tier}/login/${path}`, search: search as never, replace: true })
      },
    }),
  )
  // Nobody acts for the vendor (gaps R-11).
  const switchUser = tier !== 'admin' && [
    createRoute({
      getParentRoute: () => parent,
      path: 'switchUser',
      beforeLoad: async ({ search }) => {
        const { enterBySwitch } = await import('./acting.ts')
        throw redirect({ to: await enterBySwitch(tier, search), search: {} as never, replace: true })
      },
    }),
  ]
  const atTheDoor = [
    ...(switchUser || []),
    signIn,
    ssoReturn,
    verify,
    createPassword,
    forgotPassword,
    verifyMail,
    ...aliases,
  ]
  return parent.addChildren([home, ...atTheDoor, inside.addChildren([password, ...screens]), unknown])
}

export const router = createRouter({
  routeTree: root.addChildren([start, missing, ...tiers.map(door), anything]),
  defaultPreload: 'intent',
  defaultPendingComponent: Loading,
  defaultErrorComponent: CrashPage,
  defaultPendingMs: 150,
  scrollRestoration: true,
})
