/**
 * URL redirects: where visitors of a path are sent instead. A module holds a list of them; the first that matches
 * applies.
 */
import { z } from 'zod'
import { numberOf } from '../enumeration.ts'
import { Priority } from '../fields.ts'
import { UrlRegex } from '../url-regex-field.ts'
import { moduleFamily } from './module-family.ts'
import { checkGroups, targetOf } from './targets.ts'

export const redirectStatuses = {
  movedPermanently: 301,
  found: 302,
  seeOther: 303,
  temporaryRedirect: 307,
  permanentRedirect: 308,
} as const

/** A path, or a whole URL of http or https. */
const Target = targetOf(/^(\/(?![/\\])|https?:\/\/[^/\\])[\x21-\x7e]*$/)

export const UrlRedirect = z.strictObject({
  urlRegex: UrlRegex.describe('Matched against the canonical path. `^/a$` is that path, `^/a` begins with it.'),
  target: Target.describe(
    'A path or URL; `$1` to `$9` are the groups, `$host`, `$path` and `$query` are the request’s.',
  ),
  statusCode: numberOf('RedirectStatus', 'The status of the redirect', redirectStatuses).default(301),
  keepQuery: z.boolean().default(true).describe('Whether the request’s query is added to the target.'),
  priority: Priority.default(100).describe('Lower numbers are asked first.'),
  enabled: z.boolean().default(true),
})
export type UrlRedirect = z.output<typeof UrlRedirect>

export const redirectsPerSiteMax = 3000

export const urlRedirects = moduleFamily('urlRedirects', {
  one: 'urlRedirect',
  many: 'urlRedirects',
  items: { one: 'rule', many: 'rules' },
  item: UrlRedirect,
  max: redirectsPerSiteMax,
  siteMax: { max: redirectsPerSiteMax, fault: 'redirectRulesExceedLimit' },
  noun: 'redirect module',
  itemNoun: 'redirect',
  check: checkGroups,
})
