/** Which requests go around the cache, and why: asked of live requests and of simulated ones. Pure. */
import type { AroundReason } from '@breakwater/contract/edge/cache-simulation.ts'
import { bypassReason, type HeaderSource } from './cache-bypass.ts'
import type { CacheChoice } from './cache-rules.ts'

/** By the request alone, and by what the edge made of it. */
export const aroundAlways = (
  method: string,
  isRewritten: boolean,
  isMarked: boolean,
  source: HeaderSource,
): AroundReason | undefined => aroundByMethod(method, isRewritten, isMarked) ?? aroundByHeaders(source)

/** `isMarked`: a rule has set headers for the origin. What it answers to them is for those alone whom the rule means. */
export function aroundByMethod(method: string, isRewritten: boolean, isMarked: boolean): AroundReason | undefined {
  if (isRewritten) return 'rewritten'
  if (isMarked) return 'aclHeader'
  return method !== 'GET' && method !== 'HEAD' ? 'method' : undefined
}

/** None of these headers, none of these reasons: they are all in `$bw_special` (nginx/variables.ts). */
export function aroundByHeaders(source: HeaderSource): AroundReason | undefined {
  if (source.header('upgrade') !== undefined) return 'upgrade'
  const length = source.header('content-length')
  if (length !== undefined && length !== '0') return 'body'
  if (source.header('transfer-encoding') !== undefined) return 'body'
  const isPartial = source.header('if-none-match') !== undefined || source.header('range') !== undefined
  return isPartial && isSignedBy(source.header('authorization')) ? 'signed' : undefined
}

/** Whether a signature (AWS Signature Version 4) covers a request's conditions and ranges: the origin must get them. */
export const isSignedBy = (authorization: string | undefined): boolean => authorization?.startsWith('AWS4-') === true

/** By the rule that is for it. */
export function aroundByRule(
  choice: CacheChoice,
  method: string,
  query: string,
  source: HeaderSource,
): AroundReason | undefined {
  if (!choice.stores) return 'ruleForbids'
  if (choice.skipsHead && method === 'HEAD') return 'head'
  return choice.bypass === undefined ? undefined : bypassReason(choice.bypass, query, source)
}
