/** The shortcuts to pages: `g`, then a letter. One list for both the listener and the help. */
import type { Tier } from '@breakwater/contract/endpoint.ts'
import type { Permission } from '@breakwater/contract/permissions.ts'
import { type PlacedPage, pagesOf } from './areas.ts'

export type GoTo = { letter: string; page: PlacedPage }

/** The pages of a console that have a shortcut and that the user may open. */
export const goTos = (tier: Tier, may: (permission: Permission) => boolean): GoTo[] =>
  pagesOf(tier).flatMap((page) => (page.key && (!page.can || may(page.can)) ? [{ letter: page.key, page }] : []))
