/** The routes of a console that need a session: the pages of all areas, in the frame. */
import type { Tier } from '@breakwater/contract/endpoint.ts'
import {
  type AnyRoute,
  createRoute,
  type ErrorComponentProps,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { Loading } from '../kit/Loading.tsx'
import { hasSession, requireSession } from '../platform/session.ts'
import { within } from '../platform/within.ts'
import { type PlacedPage, pagesOf } from './areas.ts'
import { CrashPage, NotFoundInside } from './error-pages.tsx'
import { loadWords } from './load-words.ts'

/** A page's screen; its words arrive beside it. */
async function loadWithWords({ load, words }: PlacedPage): ReturnType<PlacedPage['load']> {
  const [Screen] = await within(Promise.all([load(), loadWords(words)]))
  return Screen
}

/** The frame, and its words beside it. */
async function loadShell() {
  const [{ Shell }] = await within(Promise.all([import('./Shell.tsx'), loadWords(['shell'])]))
  return { default: Shell }
}

export function insideRoute(parent: AnyRoute, tier: Tier): AnyRoute {
  const inside = createRoute({
    getParentRoute: () => parent,
    id: 'inside',
    async beforeLoad({ location, matches }) {
      // What is not there is no page to come back to after a sign-in.
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
      component: lazyRouteComponent(async () => ({ default: await loadWithWords(page) })),
      staticData: { page },
    }),
  )
  return inside.addChildren([...screens, unknown])
}
