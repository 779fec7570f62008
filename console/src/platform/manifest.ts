/**
 * What an area of the console declares in its `area.ts`: its pages, its tabs of a site's settings, its pages before
 * sign-in and its links. The router, the navigation, the palette, the keyboard shortcuts and the tests of screens read
 * nothing else.
 */
import type { Tier } from '@breakwater/contract/endpoint.ts'
import type { Permission } from '@breakwater/contract/permissions.ts'
import type { ComponentType } from 'react'
import type { ConsoleGroup, SiteGroup, ZoneGroup } from './groups.ts'
import { type Title, useLocale } from './locale.ts'
import type { Area as WordsArea } from './phrases.ts'

export type Page = {
  /** The path below each console that has the page. */
  paths: Partial<Record<Tier, string>>
  title: Title
  load: () => Promise<ComponentType>
  /** The words areas that the screen uses: otherwise the page would flicker when it first needs one. */
  words?: readonly WordsArea[]
  /** Whose tabs the page shows: the one that `?tab=` names is loaded at the same time as the page. */
  tabsOf?: 'site' | 'zone'
  can?: Permission
  /** Its group in the navigation; without one, it is reached from other pages. */
  group?: ConsoleGroup | Partial<Record<Tier, ConsoleGroup>>
  /** Its position in the group, the smallest first. */
  order?: number
  /** The key that opens it after `g`. */
  key?: string
  /** Whether links to it open a new tab: for a page that is not part of the console. */
  opensTab?: boolean
  /** Whether it has a site filter (`?site=`), which links between such pages keep. */
  takesSite?: boolean
}

/** An action on a tab of a site, offered by the palette: a link to the tab with the parameter that triggers it. */
export type SiteAct = {
  tab: string
  key: string
  title: Title
  search: Readonly<Record<string, string>>
  can: Permission
  /** Only in some consoles. */
  tiers?: readonly Tier[]
  /** Synonyms that people type for it, in any language. */
  also?: string
}

/** What an area adds to the palette in its `acts.ts`, which is loaded with the palette. */
export type Acts = {
  acts?: readonly SiteAct[]
  /** Synonyms for its tabs and its customers' pages, by tab or path. */
  also?: Readonly<Record<string, string>>
}

/** A page of a site's settings: `?tab=` in the site's URL. */
export type SiteTab = {
  tab: string
  title: Title
  load: () => Promise<ComponentType<{ siteId: number }>>
  words?: readonly WordsArea[]
  can: Permission
  group: SiteGroup
  order: number
  /**
   * The kind of rule that it lists, and the prefix of its audit actions. The title then also serves for the guard's
   * name in the log and for the sentences of the audit log.
   */
  rules?: { kind: string; actions: string }
}

/** A page of a zone's settings: `?tab=` in the zone's URL. */
export type ZoneTab = Omit<SiteTab, 'load' | 'group'> & {
  load: () => Promise<ComponentType<{ zoneId: number }>>
  group: ZoneGroup
}

/** A page before sign-in, below each console. */
type SignInPage = { path: string; load: () => Promise<ComponentType> }

/** A path below each console that redirects: `follow` throws the redirect. */
type Link = { path: string; tiers?: readonly Tier[]; follow: (tier: Tier, search: object) => Promise<never> }

export type Area = {
  pages?: readonly Page[]
  siteTabs?: readonly SiteTab[]
  zoneTabs?: readonly ZoneTab[]
  signInPages?: readonly SignInPage[]
  links?: readonly Link[]
}

/** Returns a title in the chosen language. */
export function useTitle(): (title: Title) => string {
  const { locale } = useLocale()
  return (title) => title[locale]
}
