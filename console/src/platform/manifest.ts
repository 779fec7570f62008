/**
 * What an area of the console says of itself in its `area.ts`: its pages, its tabs of a site's settings, its pages before
 * sign-in and its links. The router, the navigation, the palette, the keys and the tests of screens read nothing else.
 */
import type { Tier } from '@breakwater/contract/endpoint.ts'
import type { Permission } from '@breakwater/contract/permissions.ts'
import type { ComponentType } from 'react'
import type { ConsoleGroup, SiteGroup, ZoneGroup } from './groups.ts'
import { type Title, useLocale } from './locale.ts'
import type { Area as WordsArea } from './phrases.ts'

export type Page = {
  /** The address below each console that has the page. */
  paths: Partial<Record<Tier, string>>
  title: Title
  load: () => Promise<ComponentType>
  /** The areas of words that the screen is drawn with: without them the page would blink when it first needs one. */
  words?: readonly WordsArea[]
  /** Loads the part of the page that an address asks for, where it is loaded by itself. */
  loadPart?: (search: object) => Promise<unknown>
  can?: Permission
  /** Where it stands in the navigation; without it, it is reached from other pages. */
  group?: ConsoleGroup | Partial<Record<Tier, ConsoleGroup>>
  /** Its place in the group, the smallest first. */
  order?: number
  /** The letter that leads there after `g`. */
  key?: string
  /** Whether links to it open a tab of its own: a page that is no part of the console. */
  opensTab?: boolean
  /** Whether it takes a site as its filter (`?site=`), which links between such pages keep. */
  takesSite?: boolean
}

/** Something done on a tab of a site, which the palette offers: the tab's address with what opens it. */
export type SiteAct = {
  tab: string
  key: string
  title: Title
  search: Readonly<Record<string, string>>
  can: Permission
  /** Of some consoles alone. */
  tiers?: readonly Tier[]
  /** Other words that people type for it, in any language. */
  also?: string
}

/** What an area brings to the palette in its `acts.ts`, which is loaded with the palette. */
export type Acts = {
  acts?: readonly SiteAct[]
  /** Other words for its tabs and its customers' pages, by tab or path. */
  also?: Readonly<Record<string, string>>
}

/** A page of a site's settings: `?tab=` of the site's address. */
export type SiteTab = {
  tab: string
  title: Title
  load: () => Promise<ComponentType<{ siteId: number }>>
  words?: readonly WordsArea[]
  can: Permission
  group: SiteGroup
  order: number
  /**
   * The kind of rule that it lists, and what its audit actions begin with. The log's word for its guard, and the sentences of
   * the audit log, are made with the title then.
   */
  rules?: { kind: string; actions: string }
}

/** A page of what is set of a zone: `?tab=` of the zone's address. */
export type ZoneTab = Omit<SiteTab, 'load' | 'group'> & {
  load: () => Promise<ComponentType<{ zoneId: number }>>
  group: ZoneGroup
}

/** A page before sign-in, below each console. */
type SignInPage = { path: string; load: () => Promise<ComponentType> }

/** An address below each console that leads elsewhere: `follow` throws a redirect. */
type Link = { path: string; tiers?: readonly Tier[]; follow: (tier: Tier, search: object) => Promise<never> }

export type Area = {
  pages?: readonly Page[]
  siteTabs?: readonly SiteTab[]
  zoneTabs?: readonly ZoneTab[]
  signInPages?: readonly SignInPage[]
  links?: readonly Link[]
}

/** Reads a title in the chosen language. */
export function useTitle(): (title: Title) => string {
  const { locale } = useLocale()
  return (title) => title[locale]
}
