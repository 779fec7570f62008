/** Collects all areas from their folders, and what they provide, in the order of the navigation. */
import { type Tier, tiers } from '@breakwater/contract/endpoint.ts'
import type { Permission } from '@breakwater/contract/permissions.ts'
import { type ConsoleGroup, consoleGroups, siteGroups, zoneGroups } from '../platform/groups.ts'
import type { Area, Page, SiteTab, ZoneTab } from '../platform/manifest.ts'

const areas = Object.values(import.meta.glob<{ area: Area }>('../*/area.ts', { eager: true })).map(({ area }) => area)

/** A page within one of the consoles. */
export type PlacedPage = Omit<Page, 'paths' | 'group'> & {
  /** The path below the console. */
  path: string
  /** The full path. */
  to: string
  group?: ConsoleGroup
}

function placed(tier: Tier, { paths, group, ...page }: Page): PlacedPage[] {
  const path = paths[tier]
  if (path === undefined) return []
  const here = typeof group === 'object' ? group[tier] : group
  return [{ ...page, path, to: `/${tier}/${path}`, ...(here ? { group: here } : {}) }]
}

const byOrder = (one: { order?: number }, other: { order?: number }) => (one.order ?? 0) - (other.order ?? 0)
const allPages = areas.flatMap(({ pages = [] }) => pages).sort(byOrder)
const pagesByTier = Object.fromEntries(
  tiers.map((tier) => [tier, allPages.flatMap((page) => placed(tier, page))]),
) as Record<Tier, PlacedPage[]>

/** The pages of a console. */
export const pagesOf = (tier: Tier): readonly PlacedPage[] => pagesByTier[tier]

/** The tabs of a site's settings. */
const siteOrder = Object.keys(siteGroups)
export const siteTabs: readonly SiteTab[] = areas
  .flatMap((area) => area.siteTabs ?? [])
  .sort((one, other) => siteOrder.indexOf(one.group) - siteOrder.indexOf(other.group) || byOrder(one, other))
export const siteTab = (name: string): SiteTab | undefined => siteTabs.find(({ tab }) => tab === name)

/** The tabs of a zone's settings. */
const zoneOrder = Object.keys(zoneGroups)
export const zoneTabs: readonly ZoneTab[] = areas
  .flatMap((area) => area.zoneTabs ?? [])
  .sort((one, other) => zoneOrder.indexOf(one.group) - zoneOrder.indexOf(other.group) || byOrder(one, other))
export const zoneTab = (name: string): ZoneTab | undefined => zoneTabs.find(({ tab }) => tab === name)

export const signInPages = areas.flatMap(({ signInPages: pages = [] }) => pages)
export const linksOf = (tier: Tier) =>
  areas.flatMap(({ links = [] }) => links).filter((link) => !link.tiers || link.tiers.includes(tier))

type May = (permission: Permission) => boolean
export type Entries<Group extends string, Entry> = { group: Group; entries: readonly Entry[] }[]

/** The groups with entries that the user may open, in order. */
function grouped<Group extends string, Entry extends { group?: Group; can?: Permission }>(
  groups: Record<Group, unknown>,
  all: readonly Entry[],
  may: May,
): Entries<Group, Entry> {
  return (Object.keys(groups) as Group[])
    .map((group) => ({ group, entries: all.filter((one) => one.group === group && (!one.can || may(one.can))) }))
    .filter(({ entries }) => entries.length > 0)
}

export const consoleEntries = (tier: Tier, may: May): Entries<ConsoleGroup, PlacedPage> =>
  grouped(consoleGroups, pagesOf(tier), may)
export const siteEntries = (may: May) => grouped(siteGroups, siteTabs, may)
export const zoneEntries = (may: May) => grouped(zoneGroups, zoneTabs, may)
