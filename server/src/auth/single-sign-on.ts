/** Single sign-on: the redirect to the provider, its callback, and the settings. */
import { singleSignOn, ssoSeconds, ssoSettings } from '@breakwater/contract/auth/single-sign-on.ts'
import type { Tier } from '@breakwater/contract/endpoint.ts'
import type { Selectable } from 'kysely'
import type { AuthTables } from '../db/auth-tables.ts'
import { type Database, withSystem } from '../db/database.ts'
import { lockTenant } from '../db/owner-lock.ts'
import { requireUnchanged } from '../http/based-on.ts'
import { Fault, fieldFault } from '../http/fault.ts'
import { type Feature, implement, implementOpen, implementPublic } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { type StoredSecret, sealSecret, secretFor, secretOnTheWay } from '../settings/sent-secret.ts'
import { requireAddress } from './cidrs.ts'
import { startSession } from './sessions.ts'
import { auditSignIn } from './sign-in-audit.ts'
import { accountOf } from './sso-person.ts'
import { type AuthorizationState, beginAuthorization, discover, exchangeCode, type Provider } from './sso-provider.ts'
import { hashToken } from './tokens.ts'

/** The context for which a provider's secret is sealed. */
export const ssoContext = (tenantId: number, tier: Tier) => `sso/${tenantId}/${tier}`

const storedClientSecret = (row: { tenantId: number; tier: Tier; issuer: string; secret: Buffer | null }) =>
  ({
    sealed: row.secret,
    context: ssoContext(row.tenantId, row.tier),
    destination: { issuer: row.issuer },
  }) satisfies StoredSecret

export function singleSignOnFeature(services: Services): Feature {
  return [...doorFeature(services), ...settingsFeature(services)]
}

const redirectOf = (services: Services, tier: Tier) => `${services.env.publicUrl}/${tier}/login/sso`

function doorFeature(services: Services): Feature {
  const { vault, guard, logger } = services
  const { db } = services.database
  const providerOf = (row: {
    tenantId: number
    tier: Tier
    issuer: string
    clientId: string
    secret: Buffer | null
  }): Provider => ({
    issuer: row.issuer,
    clientId: row.clientId,
    secret: secretOnTheWay(vault, storedClientSecret(row), { issuer: row.issuer }) ?? '',
  })
  const enabled = (tx: Database, tier: Tier, id: number) =>
    tx
      .selectFrom('ssoProviders')
      .selectAll()
      .where('id', '=', id)
      .where('tier', '=', tier)
      .where('enabled', '=', true)
      .executeTakeFirst()

  return implementPublic(singleSignOn, {
    list: ({ tier }) =>
      withSystem(db, async (tx) => {
        const data = await tx
          .selectFrom('ssoProviders')
          .select(['id', 'name'])
          .where('tier', '=', tier)
          .where('enabled', '=', true)
          .orderBy('name')
          .limit(20)
          .execute()
        return { data, total: data.length }
      }),

    async begin({ tier, body }) {
      const row = await withSystem(db, (tx) => enabled(tx, tier, body.id))
      if (!row) throw fieldFault('id', 'unknownProvider')
      try {
        const { url, authorization } = await beginAuthorization(
          await discover(guard, providerOf(row)),
          redirectOf(services, tier),
        )
        const stateHash = hashToken(authorization.state)
        await withSystem(db, (tx) =>
          tx
            .insertInto('ssoAttempts')
            .values({
              stateHash,
              providerId: row.id,
              bindingHash: hashToken(body.binding),
              sealed: vault.seal(Buffer.from(JSON.stringify(authorization)), 'sso/authorization'),
              expiresAt: new Date(Date.now() + ssoSeconds * 1000),
            })
            .execute(),
        )
        return { url }
      } catch (error) {
        logger.warn({ err: error, provider: row.id }, 'sign-in provider does not answer')
        throw new Fault('proxyConnectionFailed', 'provider')
      }
    },

    async finish({ tier, body, address, request }) {
      const answer = new URLSearchParams(body.query)
      const attempt = { tier, account: '', address, method: request.method, url: request.url, requestId: request.id }
      const taken = await withSystem(db, async (tx) => {
        // Deleted immediately: a callback is good for one attempt, whatever its outcome.
        const row = await tx
          .deleteFrom('ssoAttempts')
          .where('stateHash', '=', hashToken(answer.get('state') ?? ''))
          .where('bindingHash', '=', hashToken(body.binding))
          .where('expiresAt', '>', new Date())
          .returning(['providerId', 'sealed'])
          .executeTakeFirst()
        const provider = row && (await enabled(tx, tier, row.providerId))
        return row && provider ? { sealed: row.sealed, provider } : undefined
      })
      if (!taken) throw new Fault('credentialRefused', 'state')
      const authorization = JSON.parse(vault.open(taken.sealed, 'sso/authorization').toString()) as AuthorizationState
      const { provider } = taken
      const refuse = async (reason: string): Promise<never> => {
        await withSystem(db, (tx) =>
          auditSignIn(tx, attempt, undefined, 'auth.signIn.failed', { step: 'sso', provider: provider.name, reason }),
        )
        throw new Fault('credentialRefused', reason)
      }
      const callback = new URL(`${redirectOf(services, tier)}?${answer}`)
      const person = await discover(guard, providerOf(provider))
        .then((config) => exchangeCode(config, callback, authorization))
        .catch((error: unknown) => {
          logger.info({ err: error, provider: provider.id }, 'sign-in provider refused')
          return undefined
        })
      if (!person) return refuse('provider')
      attempt.account = person.email
      const pair = await withSystem(db, async (tx) => {
        const account = await accountOf(tx, provider, person)
        if (!account) return undefined
        if (account.status !== 1) throw new Fault('accountNotEnabled')
        await requireAddress(tx, tier, account.tenantId, address)
        const pair = await startSession(tx, account.id, { address, userAgent: request.headers['user-agent'] ?? '' })
        await auditSignIn(tx, attempt, account, 'auth.signIn', { by: 'sso', provider: provider.name })
        return pair
      })
      return pair ?? refuse('unknownPerson')
    },
  })
}

type ProviderRow = Omit<Selectable<AuthTables['ssoProviders']>, 'id' | 'tenantId'>

/** A provider as the API returns it. */
const shown = (row: ProviderRow) => ({
  auth: row.tier,
  enable: row.enabled,
  name: row.name,
  issuer: row.issuer,
  clientID: row.clientId,
  hasSecret: row.secret !== null,
  matchesEmail: row.matchesEmail,
  createsAccounts: row.createsAccounts,
})

function settingsFeature(services: Services): Feature {
  const { test, ...kept } = ssoSettings
  const consoles = (tier: Tier): readonly Tier[] => (tier === 'admin' ? ['admin'] : ['client', 'user'])
  return [
    ...implement(kept, {
      async get({ db, caller }) {
        const rows = await db
          .selectFrom('ssoProviders')
          .selectAll()
          .where('tenantId', '=', caller.tenantId)
          .orderBy('tier')
          .execute()
        const data = rows.map((row) => ({ ...shown(row), redirectURI: redirectOf(services, row.tier) }))
        return { data, total: data.length }
      },

      async update({ db, caller, body, audit }) {
        const { auth, enable, clientID, clientSecret, basedOn, ...fields } = body
        if (!consoles(caller.tier).includes(auth)) throw fieldFault('auth', 'notInThisConsole', 'permissionDenied')
        const { tenantId } = caller
        await lockTenant(db, tenantId)
        const before = await db
          .selectFrom('ssoProviders')
          .selectAll()
          .where('tenantId', '=', tenantId)
          .where('tier', '=', auth)
          .executeTakeFirst()
        requireUnchanged(basedOn, before ? shown(before) : {}, 'The provider was changed meanwhile')
        const use = { destination: { issuer: fields.issuer }, given: clientSecret, field: 'clientSecret' }
        const plain = secretFor(services.vault, before && storedClientSecret(before), use)
        const secret = sealSecret(services.vault, ssoContext(tenantId, auth), plain)
        const row = { ...fields, tenantId, tier: auth, enabled: enable, clientId: clientID, secret }
        await db
          .insertInto('ssoProviders')
          .values(row)
          .onConflict((on) => on.columns(['tenantId', 'tier']).doUpdateSet(row))
          .execute()
        if (before && before.issuer !== fields.issuer) await forgetLinks(services, before.id)
        const was = before && { enable: before.enabled, issuer: before.issuer, clientID: before.clientId }
        audit.detail = { auth, before: was, after: { ...fields, enable, clientID } }
      },
    }),
    ...implementOpen(
      { test },
      {
        async test({ body }) {
          try {
            await discover(services.guard, { issuer: body.issuer, clientId: body.clientID, secret: '' })
            return { ok: true, detail: '' }
          } catch (error) {
            const { message, cause } = error as Error
            const because = cause instanceof Error ? `: ${cause.message}` : ''
            return { ok: false, detail: `${message}${because}`.slice(0, 500) }
          }
        },
      },
    ),
  ]
}

/** Another provider has other people, even if their subjects are the same. */
const forgetLinks = ({ database: { db } }: Services, providerId: number) =>
  withSystem(db, (tx) => tx.deleteFrom('ssoLinks').where('providerId', '=', providerId).execute())
