/** A server of another program, before it is known which others it forms a site with. */

import type { ImportNote } from '@breakwater/contract/import/site-import.ts'
import { type ProxyRewrite, proxyRewrites } from '@breakwater/contract/modules/proxy-rewrites.ts'
import { urlRedirects } from '@breakwater/contract/modules/url-redirects.ts'
import type { z } from 'zod'
import type { Note, Place } from './draft.ts'
import { noPathRules, type PathRules } from './nginx/by-path.ts'
import type { Origins } from './nginx/origins.ts'
import type { Settings } from './nginx/settings.ts'
import type { Redirect } from './nginx/targets.ts'

export type Rewrite = z.input<typeof ProxyRewrite>

export type Vhost = {
  place: Place
  /** As in the source, in lower case. */
  names: string[]
  /** Whether it serves over TLS. */
  tls: boolean
  enabled: boolean
  origins: Origins | undefined
  /** Names for which plain HTTP is redirected to HTTPS. */
  forced: Set<string>
  /** By name; those for all names are under ''. */
  redirects: Map<string, Redirect[]>
  rewrites: Rewrite[]
  settings: Settings
  rules: PathRules
  notes: ImportNote[]
  note: Note
}

export const newVhost = (place: Place, notes: ImportNote[], note: Note): Vhost => ({
  ...{ place, names: [], tls: false, enabled: true, origins: undefined, forced: new Set(), redirects: new Map() },
  ...{ rewrites: [], settings: { headers: [] }, rules: noPathRules(), notes, note },
})

/** Whether a module accepts an item; invalid items are noted. */
function fits(
  family: { calls: { addItems: { body: z.ZodType | undefined } } },
  item: object,
  place: Place,
  note: Note,
) {
  const found = family.calls.addItems.body!.safeParse({ items: [item] })
  if (!found.success) note(found.error.issues[0]!.path.includes('urlRegex') ? 'regex' : 'value', place)
  return found.success
}

/** Adds a redirect for one name or for all. */
export function addRedirect({ redirects, note }: Vhost, redirect: Redirect, place: Place, name = ''): void {
  if (fits(urlRedirects, redirect, place, note)) redirects.set(name, [...(redirects.get(name) ?? []), redirect])
}

/** Adds a rewrite of the path sent to origins. */
export function addRewrite({ rewrites, note }: Vhost, rewrite: Rewrite, place: Place): void {
  if (fits(proxyRewrites, rewrite, place, note)) rewrites.push(rewrite)
}
