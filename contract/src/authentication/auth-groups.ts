/**
 * Groups for authentication at the edge: who may pass where an authentication rule requires the group. Credentials are
 * write-only: nodes get hashes, sealed to them.
 */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { wordOf } from '../enumeration.ts'
import { HeaderName, Id, Memo, Name } from '../fields.ts'
import { Ids, Paging, pageOf } from '../paging.ts'
import { RuleMeta, ruleList } from '../rule-list.ts'

export const authTypes = ['basic', 'key', 'jwt'] as const
export const AuthType = wordOf(
  'AuthType',
  'How visitors show who they are: basic asks for a name and a password, key for one of several keys, jwt for a token that one of several keys signed.',
  authTypes,
  'required',
)
export type AuthType = z.output<typeof AuthType>

export const keyPlaces = ['header', 'query', 'cookie'] as const
const KeyPlace = wordOf('KeyPlace', 'Where keys are looked for.', keyPlaces)

/** The most groups per site, and the most entries per group. */
export const authGroupsMax = 50
export const authEntriesMax = 5000

/** Names that HTTP or the edge uses: a key there would be lost, or displace the real value. */
const takenNames =
  /^(host|connection|content-.*|transfer-encoding|te|trailer|upgrade|cookie|range|if-.*|x-bw-.*|bw_.*)$/i

const keyFields = {
  keyIn: KeyPlace.default('header'),
  keyName: HeaderName.max(64, 'charactersExceedLimit')
    .refine((name) => !takenNames.test(name), 'wrongFormat')
    .default('X-Api-Key')
    .describe('The header, parameter or cookie that carries a key. Groups of other types have no use for it.'),
}

export const AuthGroup = z.strictObject({
  name: Name,
  type: AuthType,
  memo: Memo.default(''),
  ...keyFields,
})
export type AuthGroup = z.output<typeof AuthGroup>

const Row = z.object({
  id: z.number().int(),
  name: z.string(),
  type: AuthType,
  memo: z.string(),
  keyIn: KeyPlace,
  keyName: z.string(),
  count: z.number().int().describe('How many entries it has.'),
})
export type AuthGroupRow = z.output<typeof Row>

const of = '/:tier/site/:siteId/auth'
const tiers = ['user', 'client'] as const
const read = { tiers, can: 'firewall.read' } as const
const write = { tiers, can: 'firewall.write' } as const

export const authGroups = {
  list: endpoint('site.auth.groups.list', 'GET', `${of}/groups`, {
    ...read,
    query: Paging,
    reply: pageOf(Row),
    kind: 'list',
    summary: 'Lists the authentication groups of a site.',
  }),
  meta: endpoint('site.auth.metaGroups', 'GET', `${of}/metaGroups`, {
    ...read,
    query: z.strictObject({ type: AuthType.optional() }),
    reply: z.array(Row.pick({ id: true, name: true, type: true })),
    summary: 'Lists ids and names of a site’s authentication groups.',
  }),
  create: endpoint('site.auth.group.create', 'POST', `${of}/group`, {
    ...write,
    body: AuthGroup,
    reply: z.object({ id: z.number().int() }),
    summary: 'Adds an authentication group.',
  }),
  update: endpoint('site.auth.group.update', 'PUT', `${of}/group`, {
    ...write,
    body: AuthGroup.omit({ type: true }).extend({ id: Id }),
    summary: 'Updates an authentication group. Its type cannot change.',
  }),
  remove: endpoint('site.auth.groups.remove', 'DELETE', `${of}/groups`, {
    ...write,
    body: Ids,
    summary: 'Removes authentication groups that no rule uses, with their passwords and keys.',
  }),
}

const entry = { enabled: RuleMeta.shape.enabled, memo: RuleMeta.shape.memo }
const bytesOf = (text: string) => new TextEncoder().encode(text).length
const passwordBytesMax = 128

const Password = z
  .string()
  .min(8, 'passwordTooShort')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  .regex(/^[^\u0000-\u001f\u007f]*$/, 'wrongFormat')
  .refine((text) => bytesOf(text) <= passwordBytesMax, 'charactersExceedLimit')

export const BasicAuth = z.object({
  username: z
    .string()
    .min(1, 'required')
    .max(64, 'charactersExceedLimit')
    // A colon ends the name in what browsers send.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
    .regex(/^[^:\u0000-\u001f\u007f]*$/, 'wrongFormat'),
  password: Password.describe('Written, never read: only its hash is kept.'),
  ...entry,
})
export type BasicAuth = z.output<typeof BasicAuth>

const Key = z
  .string()
  .regex(/^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]{16,128}$/, 'wrongFormat')
  .describe(
    'At least 16 visible characters, none of which a cookie cannot hold. Written, never read: replies show its first four characters.',
  )

export const KeyAuth = z.object({ key: Key, ...entry })
export type KeyAuth = z.output<typeof KeyAuth>

const common = {
  owner: 'authGroup',
  read: 'firewall.read',
  write: 'firewall.write',
  max: authEntriesMax,
  hasSingularCreate: true,
} as const

export const basicAuths = ruleList('basicAuths', {
  ...common,
  ids: { one: 'site.auth.group.basicAuth', many: 'site.auth.group.basicAuths' },
  paths: { one: 'basicAuth', many: 'basicAuths' },
  item: BasicAuth,
  shown: { password: undefined },
  changed: { password: Password.optional().describe('Left out, it stays.') },
  uniqueKey: ({ username }) => username,
  noun: 'name and password',
})

export const keyAuths = ruleList('keyAuths', {
  ...common,
  ids: { one: 'site.auth.group.keyAuth', many: 'site.auth.group.keyAuths' },
  paths: { one: 'keyAuth', many: 'keyAuths' },
  item: KeyAuth,
  shown: { key: z.string() },
  changed: { key: Key.optional().describe('Left out, it stays.') },
  noun: 'key',
})

/** Each algorithm fits one type of key only, so a token cannot have a public key taken for a shared secret. */
export const jwtAlgorithms = ['HS256', 'RS256', 'RS384', 'RS512', 'PS256', 'ES256', 'EdDSA'] as const
/** The most keys of a JWKS that are used; further ones are ignored. */
export const jwksKeysMax = 20
export type JwtAlgorithm = (typeof jwtAlgorithms)[number]
export const Algorithm = wordOf('JwtAlgorithm', 'How tokens are signed, pinned to this key.', jwtAlgorithms, 'required')

const JwtSecret = z
  .string()
  .min(1, 'required')
  .max(8192, 'charactersExceedLimit')
  .describe(
    'Of HS256 a shared secret of at least 32 bytes; of all others a public key in PEM, of RSA of 2,048 bits at least. Written, never read.',
  )
export const Claim = z
  .string()
  .trim()
  .max(256, 'charactersExceedLimit')
  .regex(/^[\x21-\x7e]*$/, 'wrongFormat')
  .default('')

export const claimsMax = 10
/** Claims that a token must have: `name=value`. */
export const RequiredClaims = z
  .array(
    z
      .string()
      .trim()
      .max(256, 'charactersExceedLimit')
      .regex(/^[A-Za-z0-9_.:/-]{1,64}=[\x20-\x7e]+$/, 'wrongFormat'),
  )
  .max(claimsMax, 'itemsExceedLimit')
  .refine((claims) => new Set(claims.map((claim) => claim.split('=', 1)[0])).size === claims.length, 'duplicatedData')
  .default([])
  .describe(
    'Claims that a token must make besides, as `name=value`: as its value, in its list, or as a word of `scope`.',
  )

export const JwtAuth = z.object({
  key: z
    .string()
    .max(128, 'charactersExceedLimit')
    .regex(/^[\x21-\x7e]*$/, 'wrongFormat')
    .default('')
    .describe('The `kid` that tokens name; empty for tokens that name none.'),
  secret: JwtSecret,
  algorithm: Algorithm,
  issuer: Claim.describe('What `iss` must be; empty for anything.'),
  audience: Claim.describe('What `aud` must be or hold; empty for anything.'),
  claims: RequiredClaims,
  ...entry,
})
export type JwtAuth = z.output<typeof JwtAuth>

export const jwtAuths = ruleList('jwtAuths', {
  ...common,
  ids: { one: 'site.auth.group.jwtAuth', many: 'site.auth.group.jwtAuths' },
  paths: { one: 'jwtAuth', many: 'jwtAuths' },
  item: JwtAuth,
  max: 50,
  shown: { secret: undefined },
  changed: { secret: JwtSecret.optional().describe('Left out, it stays.') },
  uniqueKey: ({ key }) => `kid ${key}`,
  noun: 'token key',
})
