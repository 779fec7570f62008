/** One call of the API, declared once: the server implements it, the console calls it, the API page shows it. */
import type { z } from 'zod'
import type { Permission } from './permissions.ts'
import { type Tier, tiers } from './tiers.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export { type Tier, tiers }

/**
 * `public` needs no session; `signedIn` needs any session of the tier; anything else is a key of the permission tree.
 */
export type Policy = 'public' | 'signedIn' | Permission

/**
 * How a reply looks on the wire: `{ data }`, `{ data, total }`, `{}`, a body of its own (file, text), or an event
 * stream.
 */
export type ReplyKind = 'data' | 'list' | 'none' | 'raw' | 'stream'

/**
 * `/:tier/site/:siteId/rates` → `{ tier: Tier; siteId: number }`. Every parameter except `tier` and `hash` is an
 * integer id.
 */
export type PathParams<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { [K in Name]: ParamValue<K> } & PathParams<Rest>
  : Path extends `${string}:${infer Name}`
    ? { [K in Name]: ParamValue<K> }
    : unknown
type ParamValue<Name> = Name extends 'tier' ? Tier : Name extends 'hash' ? string : number

/**
 * The type of an endpoint. The four type parameters after the path are phantom types: plain inferred types instead of
 * zod classes, which keeps the type checker fast with hundreds of endpoints.
 */
export type Endpoint<
  Path extends string = string,
  Query = unknown,
  BodyIn = unknown,
  Body = unknown,
  Reply = unknown,
> = {
  /** The dotted id of `calls.tsv`, for example `site.domains.list`. */
  id: string
  method: Method
  /** Below `/api/v1`. `:tier` stands for the console. */
  path: Path
  /** The consoles that have the call. Empty for a path without a tier. */
  tiers: readonly Tier[]
  can: Policy
  /** True if only the person may call it: no API token, and nobody who acts for another account. */
  personOnly: boolean
  /** The name under which a write is audited: every call that changes something has one. */
  audit: string | undefined
  query: z.ZodType | undefined
  body: z.ZodType | undefined
  /** True if the body may be form data with files. */
  form: boolean
  /** The largest of these files, in bytes. */
  fileBytesMax: number
  reply: z.ZodType | undefined
  kind: ReplyKind
  /** The media type of a file (`raw`). */
  file: string
  /** True if the call is our own and not in the specification. */
  beyond: boolean
  /** One sentence for the API page. */
  summary: string
  readonly phantom?: { query: Query; bodyIn: BodyIn; body: Body; reply: Reply }
}

type Shape<Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType> = {
  tiers?: readonly Tier[]
  can: Policy
  /** Default: true for every write that needs no permission but a session. */
  personOnly?: boolean
  /** Default: CSV. Applies if the kind is `raw`. */
  file?: string
  /** Default: the call's id, except for GET, read permissions and public calls. `true` is the id, `false` none. */
  audit?: string | boolean
  query?: Q
  body?: B
  form?: true | { fileBytesMax: number }
  reply?: R
  kind?: ReplyKind
  beyond?: boolean
  summary: string
}

/** The largest file in a form, in bytes, unless the call sets another limit. */
export const fileBytesUsual = 1_048_576

/** Declares one endpoint. `kind` is `none` without a reply and `data` with one, unless set otherwise. */
export function endpoint<
  const Path extends string,
  Q extends z.ZodType = z.ZodUndefined,
  B extends z.ZodType = z.ZodUndefined,
  R extends z.ZodType = z.ZodVoid,
>(
  id: string,
  method: Method,
  path: Path,
  shape: Shape<Q, B, R>,
): Endpoint<Path, z.output<Q>, z.input<B>, z.output<B>, z.output<R>> {
  return {
    id,
    method,
    path,
    tiers: shape.tiers ?? (path.startsWith('/:tier') ? ['user', 'client'] : []),
    can: shape.can,
    personOnly: shape.personOnly ?? (shape.can === 'signedIn' && method !== 'GET'),
    audit: auditName(id, shape.audit ?? isAudited(method, shape.can)),
    query: shape.query,
    body: shape.body,
    form: shape.form !== undefined,
    fileBytesMax: typeof shape.form === 'object' ? shape.form.fileBytesMax : fileBytesUsual,
    reply: shape.reply,
    kind: shape.kind ?? (shape.reply === undefined ? 'none' : 'data'),
    file: shape.file ?? 'text/csv',
    beyond: shape.beyond ?? false,
    summary: shape.summary,
  }
}

const isAudited = (method: Method, can: Policy): boolean =>
  method !== 'GET' && can !== 'public' && !can.endsWith('.read')

const auditName = (id: string, audit: string | boolean): string | undefined =>
  typeof audit === 'string' ? audit : audit ? id : undefined

// biome-ignore lint/suspicious/noExplicitAny: the bound of every endpoint; `unknown` would make the parameters contravariant
export type AnyEndpoint = Endpoint<string, any, any, any, any>
export type Group = Record<string, AnyEndpoint>

type With<Name extends string, Value> = [Value] extends [undefined] ? unknown : { [K in Name]: Value }

/** What a caller sends: path parameters, query and body in one flat value. `tier` is filled in by the console. */
export type Input<E> =
  E extends Endpoint<infer Path, infer Query, infer BodyIn, infer _Body, infer _Reply>
    ? Omit<PathParams<Path>, 'tier'> & With<'query', Partial<Query & object>> & With<'body', BodyIn>
    : never

/** The same after parsing, as a handler gets it. */
export type Parsed<E> =
  E extends Endpoint<infer Path, infer Query, infer _BodyIn, infer Body, infer _Reply>
    ? PathParams<Path> & With<'query', Query> & With<'body', Body>
    : never

/** What the call returns, without the envelope: the object, or `{ data, total }` for a list. */
export type Reply<E> = E extends Endpoint<infer _P, infer _Q, infer _I, infer _B, infer R> ? R : never
