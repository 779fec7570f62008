/**
 * Removals take `{ ids }`, whatever shape the specification gives them: a call that removes one item by its `id` can
 * also remove several in the same transaction, all or none.
 */
import type { AnyEndpoint } from '@breakwater/contract/endpoint.ts'
import { Ids } from '@breakwater/contract/paging.ts'
import { z } from 'zod'
import { parse } from './parse.ts'

/** The body with `ids` instead of `id`, for a removal of one item; undefined for all other calls. */
export function bodyOfSeveral({ method, body }: AnyEndpoint): z.ZodObject | undefined {
  if (method !== 'DELETE' || !(body instanceof z.ZodObject)) return undefined
  const { id, ...rest } = body.shape
  if (id === undefined || 'ids' in rest || 'password' in rest) return undefined
  return z.strictObject({ ...rest, ids: Ids.shape.ids })
}

/** The single removals that a body with `ids` stands for; undefined if it has none. Throws 101003. */
export function singleBodies(endpoint: AnyEndpoint, sent: unknown): unknown[] | undefined {
  const several = bodyOfSeveral(endpoint)
  if (!several || sent === null || typeof sent !== 'object' || !('ids' in sent)) return undefined
  const { ids, ...rest } = parse(several, sent, 'body') as { ids: number[] }
  return [...new Set(ids)].map((id) => parse(endpoint.body!, { ...rest, id }, 'body'))
}
