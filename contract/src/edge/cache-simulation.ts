/** The cache's decision on a request, simulated in the lab: nothing is sent to an origin, nothing is stored. */
import { z } from 'zod'
import { wordOf } from '../enumeration.ts'

/** Why a request bypasses the cache. */
export const aroundReasons = [
  ...['method', 'call', 'upgrade', 'body', 'signed', 'rewritten', 'aclHeader'],
  ...['ruleForbids', 'head', 'bypassCookie', 'bypassHeader', 'bypassQuery'],
] as const
export type AroundReason = (typeof aroundReasons)[number]

/** Why an origin's response is stored, or is not. */
export const storeReasons = [
  ...['rule', 'origin', 'heuristic', 'askedEachTime'],
  ...['ruleForbids', 'noStore', 'private', 'notUnderstood', 'setCookie', 'varyAll', 'method'],
  ...['personal', 'noTime', 'ended'],
] as const
export type StoreReason = (typeof storeReasons)[number]

/** The assumed response of an origin. */
export const SimulatedAnswer = z.object({
  status: z.number().int(),
  /** By lower-case name. */
  headers: z.record(z.string(), z.string()),
})
export type SimulatedAnswer = z.output<typeof SimulatedAnswer>

export const CacheExplanation = z.object({
  rule: z.number().int().describe('The cache rule that decides; 0 where none is for the URL.'),
  around: wordOf('AroundReason', 'Why a request bypasses the cache.', aroundReasons)
    .nullable()
    .describe('Why the request bypasses the cache; null where it is asked.'),
  key: z.string().describe('What the object is found by; empty where the request bypasses the cache.'),
  isStored: z.boolean(),
  why: wordOf('StoreReason', 'Why an origin’s answer is stored, or is not.', storeReasons)
    .nullable()
    .describe('Why the answer is stored or not; null where the request bypasses the cache.'),
  ttl: z.number().int().describe('Seconds at the edge.'),
  staleWhileRevalidate: z.number().int(),
  staleIfError: z.number().int(),
  isSliced: z
    .boolean()
    .describe('Whether it is fetched and stored in slices, provided that the origin answers ranges with this ETag.'),
  browserControl: z.string().nullable().describe('The Cache-Control that browsers get; null for none.'),
})
export type CacheExplanation = z.output<typeof CacheExplanation>
