/**
 * The screens of tabs, by tab: each is loaded when its tab is opened. One that is loaded by then, as the console starts,
 * renders at once, where React's own lazy components show a loading state first.
 */
import { lazyRouteComponent } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { siteTabs, zoneTabs } from './areas.ts'

type Loaded<Props> = { tab: string; load: () => Promise<ComponentType<Props>> }
type Screen<Props> = ComponentType<Props> & { preload?: () => Promise<void> }

const screensOf = <Props>(tabs: readonly Loaded<Props>[]): ReadonlyMap<string, Screen<Props>> =>
  new Map(
    tabs.map(({ tab, load }) => [
      tab,
      lazyRouteComponent(async () => ({ default: (await load()) as never })) as unknown as Screen<Props>,
    ]),
  )

export const siteScreens = screensOf(siteTabs)
export const zoneScreens = screensOf(zoneTabs)
