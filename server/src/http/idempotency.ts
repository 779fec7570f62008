/** Idempotency keys: which calls take one, and what identifies a use of one. */
import { createHash } from 'node:crypto'
import type { AnyEndpoint } from '@breakwater/contract/endpoint.ts'
import type { FastifyRequest } from 'fastify'
import { fieldFault } from './fault.ts'
import type { Caller } from './implement.ts'

export const idempotencyHeader = 'Idempotency-Key'
/** A response header, set if the response is an earlier result. */
export const replayedHeader = 'idempotency-replayed'
export const keyCharsMax = 255

/** Whether a call takes an idempotency key: a POST that changes something, by an authenticated caller. */
export const keepsResult = ({ method, audit, can, kind }: AnyEndpoint): boolean =>
  method === 'POST' && audit !== undefined && can !== 'public' && kind !== 'raw' && kind !== 'stream'

export type KeyUse = {
  accountId: number
  tenantId: number
  /** Who acts for the account. */
  actor: string
  key: string
  /** SHA-256 of the call and its body. */
  callHash: Buffer
}

/**
 * The use of a key by a request; undefined if there is none. `sent` is the request's body. Throws 101003 if the key is
 * invalid.
 */
export async function keyUse(
  endpoint: AnyEndpoint,
  caller: Caller | undefined,
  request: FastifyRequest,
  sent: unknown,
): Promise<KeyUse | undefined> {
  const key = request.headers[idempotencyHeader.toLowerCase()]
  if (key === undefined || !caller || !keepsResult(endpoint)) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]+$/.test(key) || key.length > keyCharsMax)
    throw fieldFault(idempotencyHeader, 'wrongFormat')
  const { accountId, tenantId } = caller
  return { accountId, tenantId, actor: actorOf(caller), key, callHash: await hashOfCall(request, sent) }
}

function actorOf({ apiToken, proxiedBy }: Caller): string {
  if (apiToken) return `token:${apiToken.id}`
  return proxiedBy ? `account:${proxiedBy.accountId}` : 'session'
}

async function hashOfCall(request: FastifyRequest, sent: unknown): Promise<Buffer> {
  const hash = createHash('sha256').update(`${request.method} ${request.url}\n`)
  if (sent === null || typeof sent !== 'object') return hash.update(JSON.stringify(sent) ?? '').digest()
  for (const [field, value] of Object.entries(sent)) {
    hash.update(`${JSON.stringify(field)}:`)
    if (value instanceof File) hash.update(`${value.size};`).update(new Uint8Array(await value.arrayBuffer()))
    else hash.update(`${JSON.stringify(value)};`)
  }
  return hash.digest()
}
