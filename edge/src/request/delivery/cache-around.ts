/** Which requests bypass the cache, and why. Used for live requests and for simulated ones. Pure. */
import type { AroundReason } from '@breakwater/contract/edge/cache-simulation.ts'
import { bypassReason, type HeaderSource } from './cache-bypass.ts'
import type { CacheChoice } from './cache-rules.ts'

/** Decides from the request alone and from what the edge did to it, without a cache rule. */
export const aroundAlways = (
  method: string,
  isRewritten: boolean,
  isMarked: boolean,
  source: HeaderSource,
): AroundReason | undefined => aroundByMethod(method, isRewritten, isMarked) ?? aroundByHeaders(source)

/** `isMarked`: a rule set headers for the origin, so its response is only for the visitors that the rule applies to. */
export function aroundByMethod(method: string, isRewritten: boolean, isMarked: boolean): AroundReason | undefined {
  if (isRewritten) return 'rewritten'
  if (isMarked) return 'aclHeader'
  return method !== 'GET' && method !== 'HEAD' ? 'method' : undefined
}

/** Without these headers, none of these reasons applies. All of them are in `$bw_special` (nginx/variables.ts). */
export function aroundByHeaders(source: HeaderSource): AroundReason | undefined {
  if (source.header('upgrade') !== undefined) return 'upgrade'
  const length = source.header('content-length')
  if (length !== undefined && length !== '0') return 'body'
  if (source.header('transfer-encoding') !== undefined) return 'body'
  const isPartial = source.header('if-none-match') !== undefined || source.header('range') !== undefined
  return isPartial && isSignedBy(source.header('authorization')) ? 'signed' : undefined
}

/** Whether a signature (AWS Signature Version 4) covers conditional and range headers: the origin must get them. */
export const isSignedBy = (authorization: string | undefined): boolean => authorization?.startsWith('AWS4-') === true

/** Decides from the cache rule that applies to the request. */
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
