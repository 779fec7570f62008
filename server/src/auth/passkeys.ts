/** Passkeys (WebAuthn) as a second step, requested and verified for the one URL at which the console is reached. */
import type { PasskeyAnswer } from '@breakwater/contract/auth/codes.ts'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { brandOf } from '../brand/title.ts'
import type { Database } from '../db/database.ts'
import { Fault } from '../http/fault.ts'
import type { Env } from '../process/env.ts'

/** Three hundred modules that few calls need: loaded on first use, so that the API starts faster. */
const library = () => import('@simplewebauthn/server')

/** The site to which passkeys are bound. WebAuthn requires a host name, never an IP address. */
export function passkeySite({ publicUrl }: Env): { origin: string; rpID: string } | undefined {
  const { origin, hostname, protocol } = new URL(publicUrl)
  const isName = /[a-z]/i.test(hostname) && !hostname.startsWith('[')
  return isName && (protocol === 'https:' || hostname === 'localhost') ? { origin, rpID: hostname } : undefined
}

function requireSite(env: Env) {
  const site = passkeySite(env)
  if (!site) throw new Fault('parameterError', 'passkeysUnavailable')
  return site
}

const keysOf = (db: Database, accountId: number) =>
  db
    .selectFrom('passkeys')
    .select(['id', 'name', 'credentialId', 'publicKey', 'counter', 'transports', 'createdAt', 'lastUsedAt'])
    .where('accountId', '=', accountId)
    .orderBy('id')
    .execute()

export async function listPasskeys(db: Database, accountId: number) {
  return (await keysOf(db, accountId)).map(({ id, name, createdAt, lastUsedAt }) => ({
    id,
    name,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  }))
}

const described = (keys: { credentialId: string; transports: string[] }[]) =>
  keys.map(({ credentialId, transports }) => ({
    id: credentialId,
    transports: transports,
  }))

/** The WebAuthn options for registering a passkey. */
export async function registrationQuestion(
  db: Database,
  env: Env,
  who: { id: number; tenantId: number; account: string; name: string },
) {
  const { rpID } = requireSite(env)
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpName: await brandOf(db, who.tenantId),
    rpID,
    userName: who.account,
    userDisplayName: who.name || who.account,
    userID: Buffer.from(`account/${who.id}`) as never,
    excludeCredentials: described(await keysOf(db, who.id)),
    authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
  })
}

/** Verifies the response and returns what to store. Throws 101012. */
export async function checkRegistration(env: Env, challenge: string, credential: PasskeyAnswer) {
  const { origin, rpID } = requireSite(env)
  const { verifyRegistrationResponse } = await library()
  const result = await verifyRegistrationResponse({
    response: credential as unknown as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: rpID,
    requireUserVerification: false,
    // The library throws for any mismatch; the caller gets one and the same refusal.
  }).catch(() => undefined)
  if (!result?.verified) throw new Fault('credentialRefused')
  const { id, publicKey, counter, transports = [] } = result.registrationInfo.credential
  return { credentialId: id, publicKey: Buffer.from(publicKey), counter, transports: [...transports] as string[] }
}

/** The WebAuthn options for signing in with a passkey of the account. */
export async function signInQuestion(db: Database, env: Env, accountId: number) {
  const site = passkeySite(env)
  if (!site) return undefined
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: site.rpID,
    allowCredentials: described(await keysOf(db, accountId)),
    userVerification: 'preferred',
  })
}

/** Verifies the response. Runs as the system. */
export async function usePasskey(
  db: Database,
  env: Env,
  accountId: number,
  challenge: string,
  answer: PasskeyAnswer,
): Promise<boolean> {
  const site = passkeySite(env)
  const key = (await keysOf(db, accountId)).find(({ credentialId }) => credentialId === answer.id)
  if (!site || !key) return false
  const response = answer as unknown as AuthenticationResponseJSON
  const { verifyAuthenticationResponse } = await library()
  const result = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.rpID,
    requireUserVerification: false,
    credential: {
      id: key.credentialId,
      publicKey: new Uint8Array(key.publicKey),
      counter: key.counter,
      transports: key.transports,
    },
  }).catch(() => undefined)
  if (!result?.verified) return false
  await db
    .updateTable('passkeys')
    .set({ counter: result.authenticationInfo.newCounter, lastUsedAt: new Date() })
    .where('id', '=', key.id)
    .execute()
  return true
}
