/** One call of the API, written down once: the server implements it, the console calls it, the API page shows it. */
import type { z } from 'zod'
import type { Permission } from './permissions.ts'
import { type Tier, tiers } from './tiers.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export { type Tier, tiers }

/** `public` needs no session; `signedIn` needs any session of the tier; everything else is a key of the permission tree. */
export type Policy = 'public' | 'signedIn' | Permission

/** How a reply looks on the wire: `{ data }`, `{ data, total }`, `{}`, a body of its own (file, text) or an event stream. */
export type ReplyKind = 'data' | 'list' | 'none' | 'raw' | 'stream'

/** `/:tier/site/:siteId/rates` → `{ tier: Tier; siteId: number }`. Every parameter but `tier` and `name`s is an integer id. */
export type PathParams<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? { [K in Name]: ParamValue<K> } & PathParams<Rest>
  : Path extends `${string}:${infer Name}`
    ? { [K in Name]: ParamValue<K> }
    : unknown
type ParamValue<Name> = Name extends 'tier' ? Tier : Name extends 'hash' ? string : number

/**
 * The value that is an endpoint. The four type parameters after the path are phantoms of plain inferred types
 * (not zod classes), which keeps the type checker fast over hundreds of endpoints.
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
  /** True where only the person answers: no API token, and nobody who acts for another. */
  personOnly: boolean
  /** The name under which a write is audited. Every endpoint that is not a GET and changes something has one. */
  audit: string | undefined
  query: z.ZodType | undefined
  body: z.ZodType | undefined
  /** True where the body may come as form data with files in it. */
  form: boolean
  reply: z.ZodType | undefined
  kind: ReplyKind
  /** True where the call is ours and not one of the specification. */
  beyond: boolean
  /** One sentence for the API page. */
  summary: string
  readonly phantom?: { query: Query; bodyIn: BodyIn; body: Body; reply: Reply }
}

type Shape<Q extends z.ZodType, B extends z.ZodType, R extends z.ZodType> = {
  tiers?: readonly Tier[]
  can: Policy
  /** Without it: every write that needs no permission but a session. */
  personOnly?: boolean
  audit?: string
  query?: Q
  body?: B
  form?: boolean
  reply?: R
  kind?: ReplyKind
  beyond?: boolean
  summary: string
}

/** Declares one endpoint. `kind` follows from the reply: `none` without one, `data` with one, unless said otherwise. */
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
    audit: shape.audit,
    query: shape.query,
    body: shape.body,
    form: shape.form ?? false,
    reply: shape.reply,
    kind: shape.kind ?? (shape.reply === undefined ? 'none' : 'data'),
    beyond: shape.beyond ?? false,
    summary: shape.summary,
  }
}

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

/** What the call answers, without the envelope: the object, or `{ data, total }` of a list. */
export type Reply<E> = E extends Endpoint<infer _P, infer _Q, infer _I, infer _B, infer R> ? R : never
