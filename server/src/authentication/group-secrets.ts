/**
 * The secrets of a group of edge authentication: hashes of all its entries in one sealed value, of which the newest
 * versions are kept.
 */
import { createHash, createPublicKey, type KeyObject, randomBytes, type ScryptOptions, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import type { AuthType, JwtAlgorithm, JwtAuth } from '@breakwater/contract/authentication/auth-groups.ts'
import type { AuthGroupSecrets, AuthSecret } from '@breakwater/contract/edge/auth-rules.ts'
import { passwordCost } from '@breakwater/contract/edge/password-cost.ts'
import type { Database } from '../db/database.ts'
import { fieldFault } from '../http/fault.ts'
import type { LockedSite } from '../publish/locked-sites.ts'
import type { RuleSecrets } from '../rules/rule-secrets.ts'
import { newestSiteSecret, readSiteSecret, removeSiteSecret, writeSiteSecret } from '../secrets/store.ts'
import type { Vault } from '../secrets/vault.ts'
import { claimsOf, fits } from './token-keys.ts'

/** Older versions are deleted: nodes that were offline request the newest one first. */
const versionsKept = 5
const saltBytes = 16

const nameOf = (group: number) => `authGroup-${group}`
export const authGroupRef = (group: number, version: number): string => `${nameOf(group)}@${version}`
export const removeAuthGroupSecrets = (db: Database, site: { id: number }, group: number): Promise<void> =>
  removeSiteSecret(db, site, nameOf(group))

/** Runs in Node's thread pool, so that only the caller waits for it. */
const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)

async function ofPassword(name: string, password: string): Promise<AuthSecret> {
  const { n, r, p, bytes } = passwordCost
  const salt = randomBytes(saltBytes)
  const hash = await derive(password, salt, bytes, { N: n, r, p })
  return { name, salt: salt.toString('base64'), hash: hash.toString('base64') }
}

/** The value with which nodes compare a key. */
export const ofKey = (key: string): AuthSecret => ({ hash: createHash('sha256').update(key).digest('base64') })

/** What is stored of a key beside its hash: its first four characters. */
const masked = (key: string) => `${key.slice(0, 4)}••••`

const secretBytesMin = 32

/**
 * Converts a PEM public key to the form that nodes get. Rejects keys that do not fit the algorithm, and private keys.
 */
function publicKey(pem: string, algorithm: JwtAlgorithm): Buffer {
  if (!/^\s*-----BEGIN (RSA )?PUBLIC KEY-----/.test(pem)) throw fieldFault('secret', 'wrongFormat')
  let key: KeyObject
  try {
    key = createPublicKey(pem)
  } catch {
    throw fieldFault('secret', 'wrongFormat')
  }
  if (!fits(key, algorithm)) throw fieldFault('secret', 'wrongFormat')
  return key.export({ type: 'spki', format: 'der' })
}

/** What nodes verify tokens with; everything else is stored with the entry. */
function ofTokenKey({ secret, algorithm }: Pick<JwtAuth, 'secret' | 'algorithm'>) {
  const key = algorithm === 'HS256' ? Buffer.from(secret) : publicKey(secret, algorithm)
  if (algorithm === 'HS256' && (key.length < secretBytesMin || secret.includes('-----BEGIN')))
    throw fieldFault('secret', 'wrongFormat')
  return { algorithm, key: key.toString('base64') }
}

type Entry = { username?: string; password?: string; key?: string }

/** How entries of each type are split into secret and other fields. */
const takes: Record<AuthType, Pick<RuleSecrets, 'fields' | 'take'>> = {
  basic: {
    fields: [],
    async take(given) {
      const { password, ...item } = given as Entry
      const secret = password === undefined ? undefined : await ofPassword(String(item.username), password)
      return { item, shown: {}, secret }
    },
  },
  key: {
    fields: ['key'],
    async take(given) {
      const { key, ...item } = given as Entry
      return key === undefined
        ? { item, shown: {}, secret: undefined }
        : { item, shown: { key: masked(key) }, secret: ofKey(key) }
    },
  },
  jwt: {
    fields: [],
    async take(given) {
      const { secret, ...item } = given as Partial<JwtAuth>
      const { algorithm } = item
      const key = secret === undefined ? undefined : ofTokenKey({ secret, algorithm: algorithm! })
      return { item, shown: {}, secret: key }
    },
  },
}

/** The fields of the entry itself that nodes need beside its secret, for the kinds that have any. */
function namedBy(body: Record<string, unknown>, secret: object): object {
  if (typeof body.username === 'string') return { name: body.username }
  if (!('algorithm' in secret)) return {}
  // A key belongs to one algorithm: changing the algorithm requires a new key.
  if (secret.algorithm !== body.algorithm) throw fieldFault('secret', 'required')
  const { key: kid, issuer, audience } = body
  return { kid, issuer, audience, ...claimsOf(body.claims as string[] | undefined) }
}

async function readKept(db: Database, vault: Vault, siteId: number, group: number): Promise<AuthGroupSecrets> {
  const version = await newestSiteSecret(db, { id: siteId }, nameOf(group))
  const value = version && (await readSiteSecret(db, vault, siteId, nameOf(group), version))
  return value ? JSON.parse(value.toString()) : {}
}

/** How the secrets of entries of one type are stored. */
export function authGroupSecrets(vault: Vault, type: AuthType): RuleSecrets {
  return {
    ...takes[type],
    keep: (db, site, group, changes) => keepGroup(db, vault, site, group, changes),
  }
}

/** Writes the next version of a group's secrets, from its entries (`changes` has the new secrets) and its JWKS. */
export async function keepGroup(
  db: Database,
  vault: Vault,
  site: LockedSite,
  group: number,
  changes: ReadonlyMap<number, unknown> = new Map(),
): Promise<void> {
  const before = await readKept(db, vault, site.id, group)
  const rows = await db
    .selectFrom('rules')
    .select(['id', 'enabled', 'body'])
    .where('authGroupId', '=', group)
    .orderBy('id')
    .execute()
  const kept: AuthGroupSecrets = {}
  for (const { id, enabled, body } of rows) {
    const known = (changes.get(id) ?? before[id]) as AuthGroupSecrets[string] | undefined
    if (!known) continue
    const { off: _, ...secret } = known
    kept[id] = { ...secret, ...namedBy(body, secret), ...(!enabled && { off: true }) } as AuthGroupSecrets[string]
  }
  await write(db, vault, site, group, { ...kept, ...(await jwksOf(db, group, rows)) })
}

/** The keys of a group's JWKS, except those with the same id as one of its own keys, enabled or not. */
async function jwksOf(
  db: Database,
  group: number,
  own: { body: Record<string, unknown> }[],
): Promise<AuthGroupSecrets> {
  const row = await db.selectFrom('authJwks').selectAll().where('groupId', '=', group).executeTakeFirst()
  if (!row) return {}
  const { issuer, audience, claims, keys } = row
  const names = new Set(own.map(({ body }) => body.key))
  const found = keys.filter(({ kid }) => !names.has(kid))
  return Object.fromEntries(
    found.map((key, at) => [`jwks-${at + 1}`, { ...key, issuer, audience, ...claimsOf(claims) }] as const),
  )
}

async function write(
  db: Database,
  vault: Vault,
  site: LockedSite,
  group: number,
  kept: AuthGroupSecrets,
): Promise<void> {
  const name = nameOf(group)
  const version = await writeSiteSecret(db, vault, site, name, Buffer.from(JSON.stringify(kept)))
  await db
    .deleteFrom('secrets')
    .where('siteId', '=', site.id)
    .where('name', '=', name)
    .where('version', '<=', version - versionsKept)
    .execute()
  await db
    .updateTable('authGroups')
    .set({ secretVersion: version, hasImported: Object.values(kept).some((secret) => 'crypt' in secret) })
    .where('id', '=', group)
    .execute()
}
