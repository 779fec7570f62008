/** Setting up the second step: an app or a mailed code in three phases, recovery codes, passkeys. */
import { passkeys, passkeysMax, secondStep } from '@breakwater/contract/auth/second-step.ts'
import { login2FATypes } from '@breakwater/contract/auth/sign-in.ts'
import { brandOf } from '../brand/title.ts'
import { type Database, withSystem } from '../db/database.ts'
import { lockAccount } from '../db/owner-lock.ts'
import { Fault, fieldFault } from '../http/fault.ts'
import { type Caller, type Feature, implementOpen } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { countFailure } from './lock.ts'
import { emailLocale, mailCode } from './mail-code.ts'
import { methodsOf } from './methods.ts'
import { type HeldPass, holdOnePass, issueOnePass, type Purpose } from './one-pass-keys.ts'
import { checkRegistration, listPasskeys, passkeySite, registrationQuestion } from './passkeys.ts'
import { recoveryCodesLeft, renewRecoveryCodes } from './recovery-codes.ts'
import { requirePassword } from './session-calls.ts'
import { newTotpSecret, saveTotp, totpPicture, totpStep } from './totp.ts'
import { verifySecondFactor } from './verify-second-factor.ts'

const { none, email, totp, passkey } = login2FATypes

const whoIs = (db: Database, { accountId }: Caller) =>
  db
    .selectFrom('accounts')
    .select(['id', 'tenantId', 'account', 'name', 'email'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()

/**
 * Runs a phase with its key. `run` returns undefined for a wrong code: that try is kept, counts toward the lock, and is
 * reported at the field. Throws 101012 also for a key that is unknown, expired, used, or of another phase.
 */
async function withKey<T>(
  db: Database,
  call: { caller: Caller; address: string; body: { onePassKey: string } },
  purpose: Purpose,
  run: (tx: Database, pass: HeldPass) => Promise<T | undefined>,
): Promise<T> {
  const { tier, accountName: account, accountId } = call.caller
  const result = await withSystem(db, async (tx) => {
    const pass = await holdOnePass(tx, call.body.onePassKey, accountId, purpose)
    if (!pass) return 'late'
    const value = await run(tx, pass)
    if (value !== undefined) await pass.use()
    else await countFailure(tx, { tier, account, address: call.address })
    return { value }
  })
  if (result === 'late') throw new Fault('credentialRefused', 'onePassKey')
  if (result.value === undefined) throw fieldFault('code', 'wrongCode', 'credentialRefused')
  return result.value
}

/** Creates recovery codes for an account that has none left. */
const codesIfNone = async (db: Database, accountId: number): Promise<string[]> =>
  (await recoveryCodesLeft(db, accountId)) > 0 ? [] : renewRecoveryCodes(db, accountId)

/** Removes the recovery codes of an account without app and passkeys, as they no longer open anything. */
async function dropCodesIfAlone(db: Database, accountId: number): Promise<void> {
  const { offered } = await methodsOf(db, accountId)
  if (offered.includes(totp) || offered.includes(passkey)) return
  await db.deleteFrom('recoveryCodes').where('accountId', '=', accountId).execute()
}

export function secondStepFeature(services: Services): Feature {
  return [...phases(services), ...passkeyCalls(services)]
}

function phases(services: Services): Feature {
  const { vault, env } = services
  const { db } = services.database
  return implementOpen(secondStep, {
    state: ({ caller }) =>
      withSystem(db, async (tx) => {
        const { offered, chosen, mailReady } = await methodsOf(tx, caller.accountId)
        return {
          login2FAType: offered[0] ?? none,
          chosen,
          mailReady,
          recoveryCodes: await recoveryCodesLeft(tx, caller.accountId),
          passkeys: await listPasskeys(tx, caller.accountId),
          passkeyOrigin: passkeySite(env)?.origin ?? '',
        }
      }),

    async phase0({ caller, body, address, request }) {
      await requirePassword(db, caller, address, body.password)
      return withSystem(db, async (tx) => {
        const who = await whoIs(tx, caller)
        const { offered } = await methodsOf(tx, caller.accountId)
        const asks = offered.find((type) => type === totp || type === email) ?? none
        const language = request.headers['accept-language']
        const code = asks === email ? { code: await mailCode(tx, vault, who, emailLocale(language)) } : {}
        const pass = { accountId: who.id, purpose: 'setUp', type: asks, ...code } as const
        return { onePassKey: await issueOnePass(tx, pass), login2FAType: asks }
      })
    },

    phase1: (call) =>
      withKey(db, call, 'setUp', async (tx, pass) => {
        const { caller, body, request } = call
        const who = await whoIs(tx, caller)
        const { mailReady } = await methodsOf(tx, who.id)
        if (
          pass.type !== none &&
          !(await verifySecondFactor(tx, services, who.id, [pass.type], pass, { code: body.code }))
        )
          return undefined
        const type = body.login2FAType
        const next = { accountId: who.id, purpose: 'setUpSave', type } as const
        if (type === totp) {
          const secret = newTotpSecret()
          const sealed = vault.seal(secret, `totp-set-up/${who.id}`)
          const picture = await totpPicture(secret, await brandOf(tx, caller.tenantId), who.account)
          return { ...picture, login2FAType: type, onePassKey: await issueOnePass(tx, { ...next, sealed }) }
        }
        if (type === email && !mailReady) throw fieldFault('login2FAType', 'mailNotReady')
        const language = request.headers['accept-language']
        const code = type === email ? { code: await mailCode(tx, vault, who, emailLocale(language)) } : {}
        return { login2FAType: type, onePassKey: await issueOnePass(tx, { ...next, ...code }) }
      }),

    phase2: (call) =>
      withKey(db, call, 'setUpSave', async (tx, pass) => {
        const { caller, body, audit } = call
        const { accountId } = caller
        const type = pass.type as 0 | 1 | 3
        if (type === totp) {
          const secret = vault.open(pass.sealed!, `totp-set-up/${accountId}`)
          const step = totpStep(secret, body.code)
          if (step === undefined) return undefined
          await saveTotp(tx, vault, accountId, secret, step)
        } else {
          if (type === email && !pass.fits(body.code)) return undefined
          await tx.deleteFrom('totpSecrets').where('accountId', '=', accountId).execute()
        }
        await tx.updateTable('accounts').set({ secondStep: type }).where('id', '=', accountId).execute()
        audit.detail = { login2FAType: type }
        if (type !== totp) await dropCodesIfAlone(tx, accountId)
        return { login2FAType: type, recoveryCodes: type === totp ? await renewRecoveryCodes(tx, accountId) : [] }
      }),

    async renewRecoveryCodes({ caller, body, address }) {
      await requirePassword(db, caller, address, body.password)
      return withSystem(db, async (tx) => {
        const { offered } = await methodsOf(tx, caller.accountId)
        if (!offered.includes(totp) && !offered.includes(passkey)) throw new Fault('parameterError', 'noSecondStep')
        return { recoveryCodes: await renewRecoveryCodes(tx, caller.accountId) }
      })
    },
  })
}

function passkeyCalls({ database: { db }, env }: Services): Feature {
  return implementOpen(passkeys, {
    async begin({ caller, body, address }) {
      await requirePassword(db, caller, address, body.password)
      return withSystem(db, async (tx) => {
        const who = await whoIs(tx, caller)
        if ((await listPasskeys(tx, who.id)).length >= passkeysMax) throw new Fault('itemsExceedLimit', 'passkeys')
        const options = await registrationQuestion(tx, env, who)
        const sealed = Buffer.from(options.challenge)
        const onePassKey = await issueOnePass(tx, { accountId: who.id, purpose: 'passkey', type: passkey, sealed })
        return { onePassKey, options: options as typeof options & Record<string, unknown> }
      })
    },

    add: (call) =>
      withKey(db, call, 'passkey', async (tx, pass) => {
        const { body, caller, audit } = call
        const { accountId } = caller
        await lockAccount(tx, accountId)
        if ((await listPasskeys(tx, accountId)).length >= passkeysMax) throw new Fault('itemsExceedLimit', 'passkeys')
        const key = await checkRegistration(env, pass.sealed!.toString(), body.credential)
        const { id } = await tx
          .insertInto('passkeys')
          .values({ ...key, accountId, name: body.name })
          .returning('id')
          .executeTakeFirstOrThrow()
        audit.detail = { id, name: body.name }
        return { id, recoveryCodes: await codesIfNone(tx, accountId) }
      }),

    async remove({ caller, body, address, audit }) {
      await requirePassword(db, caller, address, body.password)
      await withSystem(db, async (tx) => {
        const { accountId } = caller
        const removed = await tx
          .deleteFrom('passkeys')
          .where('id', '=', body.id)
          .where('accountId', '=', accountId)
          .returning('name')
          .executeTakeFirst()
        // A passkey that does not exist counts as removed.
        audit.detail = { id: body.id, name: removed?.name }
        await dropCodesIfAlone(tx, accountId)
      })
    },
  })
}

/** Removes every second step of an account. Runs as the system. */
export async function resetSecondStep(db: Database, accountId: number): Promise<void> {
  await db.updateTable('accounts').set({ secondStep: none }).where('id', '=', accountId).execute()
  await db.deleteFrom('totpSecrets').where('accountId', '=', accountId).execute()
  await db.deleteFrom('recoveryCodes').where('accountId', '=', accountId).execute()
  await db.deleteFrom('passkeys').where('accountId', '=', accountId).execute()
  await db.deleteFrom('onePassKeys').where('accountId', '=', accountId).execute()
}
