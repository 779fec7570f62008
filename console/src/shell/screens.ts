/**
 * The screens of pages and tabs, each loaded with its words when it is opened. One that is loaded by then, as the
 * console starts, renders at once, where React's own lazy components show a loading state first.
 */
import { type AsyncRouteComponent, lazyRouteComponent } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import type { Area } from '../platform/phrases.ts'
import { within } from '../platform/within.ts'
import { siteTabs, zoneTabs } from './areas.ts'
import { loadWords } from './load-words.ts'

type Loaded<Props> = { load: () => Promise<ComponentType<Props>>; words?: readonly Area[] }

export const screenOf = <Props>({ load, words }: Loaded<Props>): AsyncRouteComponent<Props> =>
  lazyRouteComponent(async () => {
    const [Loaded] = await within(Promise.all([load(), loadWords(words)]))
    return { default: Loaded }
  })

const byTab = <Props>(tabs: readonly (Loaded<Props> & { tab: string })[]) =>
  new Map(tabs.map((tab) => [tab.tab, screenOf(tab)]))

/** By tab; an unknown tab falls back to the first one. */
export const tabScreens = { site: byTab(siteTabs), zone: byTab(zoneTabs) }
