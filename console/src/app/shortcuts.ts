/** The keys that go to pages: `g`, then a letter. One list for who listens, for the help, and for the hints of the palette. */
import type { Tier } from '@breakwater/contract/endpoint.ts'
import type { Permission } from '@breakwater/contract/permissions.ts'
import { type Page, pages } from './pages.ts'

/** By the last part of a page's address, which the consoles have alike. */
const letters: Record<string, string> = {
  dashboard: 'd',
  sites: 's',
  sitesList: 's',
  newSite: 'c',
  zonesList: 'z',
  nodesList: 'n',
  statistics: 't',
  statisticsCustomize: 'b',
  securityAnalysis: 'y',
  logger: 'l',
  explain: 'e',
  usersList: 'u',
  users: 'u',
  roles: 'r',
  apiTokenSetting: 'k',
  logOperation: 'a',
  userInformation: 'p',
  licenses: 'i',
  license: 'i',
  offlineLicense: 'o',
}

/** The letter of a page, where it has one. */
export const letterOf = ({ path }: Page): string | undefined => letters[path.split('/').at(-1)!]

export type GoTo = { letter: string; page: Page; to: string }

/** The pages of a console that keys lead to, as far as one may open them. */
export function goTos(tier: Tier, may: (permission: Permission) => boolean): GoTo[] {
  return pages[tier].flatMap((page) => {
    const letter = letterOf(page)
    return letter && (!page.can || may(page.can)) ? [{ letter, page, to: `/${tier}/${page.path}` }] : []
  })
}
