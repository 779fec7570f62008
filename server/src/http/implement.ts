/** Binds a group of the contract to the functions that implement it. */
import type { AnyEndpoint, Group, Parsed, Reply, Tier } from '@breakwater/contract/endpoint.ts'
import type { Permission } from '@breakwater/contract/permissions.ts'
import type { SiteRevision } from '@breakwater/contract/site-revision.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Database } from '../db/database.ts'
import type { CsvFile } from './csv.ts'

/** The caller, created by `auth/` from a token. All later checks only use this. */
export type Caller = {
  accountId: number
  accountName: string
  tenantId: number
  tier: Tier
  isRoot: boolean
  sessionId: number
  mustChangePassword: boolean
  permissions: ReadonlySet<Permission>
  /** The sites that a sub-account or an API token may access; undefined means all. */
  siteIds?: readonly number[] | undefined
  /** The zones that an operator's sub-account manages; undefined means all. */
  zoneIds?: readonly number[] | undefined
  /** The API token, if the caller is one instead of a person. */
  apiToken?: { id: number; name: string } | undefined
  /** The person who acts on behalf of this account. */
  proxiedBy?: { accountId: number; accountName: string; tier: Tier } | undefined
}

/** The audit entry that `mount` writes, as far as handlers are concerned. */
export type AuditNote = {
  /** The endpoint's audit name, which the history of a site uses, too. */
  readonly action?: string | undefined
  siteId?: number
  detail?: object
  /** The revision of a site that the call created. Returned to the caller, but not stored in the entry. */
  made?: SiteRevision
  /** The tenant that the action concerns, if not the actor's own: its people see the entry, too. */
  subjectTenantId?: number
}

/** What every handler gets. `db` is a transaction that runs as the caller. */
export type Call<E> = Parsed<E> & {
  caller: Caller
  db: Database
  audit: AuditNote
  address: string
  requestId: string
}

/** For calls that read elsewhere (events, the network) and must not hold a transaction while they do. */
export type OpenCall<E> = Omit<Call<E>, 'db'> & {
  /** Runs `run` in a transaction as the caller. */
  transact: <T>(run: (db: Database) => Promise<T>) => Promise<T>
  /** Responds with a file, once the handler has ended and the audit entry is written. */
  answerFile: (file: CsvFile) => void
  /** The raw request and response, for streams. */
  request: FastifyRequest
  reply: FastifyReply
}

/** For calls without a session. */
export type PublicCall<E> = Omit<OpenCall<E>, 'caller'> & { caller: Caller | undefined }

type Answer<E> = Promise<Reply<E>>
export type Handlers<G extends Group> = { [K in keyof G]: (call: Call<G[K]>) => Answer<G[K]> }
export type OpenHandlers<G extends Group> = { [K in keyof G]: (call: OpenCall<G[K]>) => Answer<G[K]> }
export type PublicHandlers<G extends Group> = { [K in keyof G]: (call: PublicCall<G[K]>) => Answer<G[K]> }

export type Route = { endpoint: AnyEndpoint; style: 'transaction' | 'open'; handle: (call: never) => Promise<unknown> }
export type Feature = Route[]

const bind = (group: Group, handlers: object, style: Route['style']): Feature =>
  Object.entries(group).map(([name, endpoint]) => ({
    endpoint,
    style,
    handle: (handlers as Record<string, Route['handle']>)[name]!,
  }))

/**
 * Handlers that run in one transaction as the caller: a call is done completely or not at all. A missing handler does
 * not compile.
 */
export function implement<G extends Group>(group: G, handlers: Handlers<G>): Feature {
  return bind(group, handlers, 'transaction')
}

/** Handlers that open their own transactions. */
export function implementOpen<G extends Group>(group: G, handlers: OpenHandlers<G>): Feature {
  return bind(group, handlers, 'open')
}

/** Handlers of calls without a session. */
export function implementPublic<G extends Group>(group: G, handlers: PublicHandlers<G>): Feature {
  return bind(group, handlers, 'open')
}
