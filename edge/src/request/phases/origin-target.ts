/**
 * The path and query sent to an origin. nginx sends what follows the upstream's name unchanged; if nothing does, it
 * sends what the visitor sent.
 */
import { findRewrite, rewritten } from '../modules/rewrites.ts'
import { matchesRegex, mayMatchRegex } from '../nginx/regex.ts'
import { groupsOf } from '../nginx/regex-groups.ts'
import type { HostEntry } from '../sites/site-cache.ts'
import type { RequestContext } from './context.ts'

const matching = { matches: matchesRegex, mayMatch: mayMatchRegex }

/** Path and query for the origin, or '' to send them as requested. */
export function originTarget({ domain }: HostEntry): string {
  const vars = ngx.var
  const { isSigned, isRewritten, target } = ngx.ctx as Partial<RequestContext>
  // Needed on the uncached route; the inner hop's URL has no signature any more.
  const asked = isSigned === true && isRewritten !== true ? (target as string) : ''
  if (domain.rewrites === undefined) return asked
  const path = vars.uri as string
  const rule = findRewrite(domain.rewrites, path, matching)
  if (rule === undefined) return asked
  const visit = { host: vars.host as string, path, query: (vars.args as string | undefined) ?? '' }
  return rewritten(rule.target, visit, groupsOf(rule.source, path))
}
