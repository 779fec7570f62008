/** Signing in, in one step or two. */
import { login2FATypes, signIn } from '@breakwater/contract/auth/sign-in.ts'
import type { Tier } from '@breakwater/contract/endpoint.ts'
import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { type Database, withSystem } from '../db/database.ts'
import { Fault } from '../http/fault.ts'
import { type Feature, implementPublic } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { maySignInFrom } from './cidrs.ts'
import { forgetFailures, notifyLocked, oneAtATime, returnAttempt, takeAttempt } from './lock.ts'
import { emailLocale, mailCode, maskedAddress } from './mail-code.ts'
import { type Methods, methodsOf } from './methods.ts'
import { holdOnePass, issueOnePass, newMailCode } from './one-pass-keys.ts'
import { signInQuestion } from './passkeys.ts'
import { verifyPassword } from './passwords.ts'
import { startSession } from './sessions.ts'
import { type Attempt, auditSignIn } from './sign-in-audit.ts'
import { type Proof, verifySecondFactor } from './verify-second-factor.ts'

const { code, login } = signIn
const { none, email, automatic, passkey } = login2FATypes

/** Finds an account by its name or e-mail address, case-insensitively. */
export const findAccount = (db: Database, tier: Tier, typed: string) =>
  db
    .selectFrom('accounts')
    .select(['id', 'passwordHash', 'status', 'mustChangePassword', 'tenantId', 'account', 'name', 'email'])
    .where('tier', '=', tier)
    .where((on) =>
      on.or([
        on(sql`lower(account)`, '=', typed.toLowerCase()),
        on.and([on('email', '<>', ''), on(sql`lower(email)`, '=', typed.toLowerCase())]),
      ]),
    )
    .executeTakeFirst()

type Found = NonNullable<Awaited<ReturnType<typeof findAccount>>>
/** An account whose password was right, and whether a wrong code would now lock the name. */
type Judged = { account: Found; isLast: boolean }

/** Audits a failure, which was counted when it began, and throws the same fault whatever was wrong. */
async function refuse(
  db: Database,
  attempt: Attempt,
  { account, isLast }: { account: Found | undefined; isLast: boolean },
  step: 'password' | 'code',
): Promise<never> {
  await withSystem(db, async (tx) => {
    if (isLast) await notifyLocked(tx, trierOf(attempt, account))
    await auditSignIn(tx, attempt, account, 'auth.signIn.failed', { step })
  })
  throw new Fault('credentialRefused')
}

/** Attempts count under one name, whether the account name or the e-mail address was typed. */
const trierOf = ({ tier, account: typed, address }: Attempt, account: Found | undefined) => ({
  tier,
  account: account?.account ?? typed,
  address,
})

/**
 * Checks a name and password. Unknown, wrong and locked get the same response in the same time; 101008 needs the right
 * password.
 */
async function checkCredentials(db: Database, attempt: Attempt, password: string): Promise<Judged> {
  const { tier, account: typed, address } = attempt
  const { account, mayPass, isLast } = await withSystem(db, async (tx) => {
    const account = await findAccount(tx, tier, typed)
    return { account, ...(await takeAttempt(tx, trierOf(attempt, account))) }
  })
  const fits = await verifyPassword((mayPass && account?.passwordHash) || undefined, password)
  if (!account || !fits) return refuse(db, attempt, { account, isLast }, 'password')
  const isOpen = account.status === 1
  const mayComeFrom = isOpen && (await withSystem(db, (tx) => maySignInFrom(tx, tier, account.tenantId, address)))
  if (!mayComeFrom) {
    await withSystem(db, (tx) => returnAttempt(tx, trierOf(attempt, account)))
    throw isOpen ? new Fault('permissionDenied', 'sourceAddress') : new Fault('accountNotEnabled')
  }
  return { account, isLast }
}

async function enter(db: Database, attempt: Attempt, account: Found, request: FastifyRequest, by: string) {
  await forgetFailures(db, trierOf(attempt, account))
  const client = { address: attempt.address, userAgent: request.headers['user-agent'] ?? '' }
  const pair = await startSession(db, account.id, client)
  // Last, as everywhere: an entry locks its tenant's audit chain until the transaction ends. Waiting for a row while
  // holding the chain would deadlock with whoever holds the row and waits for the chain.
  await auditSignIn(db, attempt, account, 'auth.signIn', { by })
  return pair
}

/** The response to the first step if there is a second one. */
async function askSecondStep(db: Database, services: Services, account: Found, methods: Methods, language?: string) {
  const [type] = methods.offered as [number]
  const question = methods.offered.includes(passkey) ? await signInQuestion(db, services.env, account.id) : undefined
  const known =
    type === email
      ? await mailCode(db, services.vault, account, emailLocale(language))
      : type === automatic
        ? newMailCode()
        : undefined
  const onePassKey = await issueOnePass(db, {
    accountId: account.id,
    purpose: 'signIn',
    type,
    ...(known === undefined ? {} : { code: known }),
    ...(question ? { sealed: Buffer.from(question.challenge) } : {}),
  })
  return {
    onePassKey,
    login2FAType: type,
    methods: [...methods.offered],
    ...(question ? { passkey: question as typeof question & Record<string, unknown> } : {}),
    ...(type === email ? { sentTo: maskedAddress(account.email) } : {}),
    ...(type === automatic && known !== undefined ? { code: known } : {}),
    mustChangePassword: account.mustChangePassword,
  }
}

export function signInFeature(services: Services): Feature {
  const { db } = services.database
  const attemptOf = (call: {
    tier: Tier
    body: { account: string }
    address: string
    request: FastifyRequest
  }): Attempt => ({
    tier: call.tier,
    account: call.body.account,
    address: call.address,
    method: call.request.method,
    url: call.request.url,
    requestId: call.request.id,
  })
  return implementPublic(
    { code, login },
    {
      async code(call) {
        const attempt = attemptOf(call)
        return oneAtATime(attempt, async () => {
          const { account } = await checkCredentials(db, attempt, call.body.password)
          return withSystem(db, async (tx) => {
            const methods = await methodsOf(tx, account.id)
            if (methods.offered[0] !== none) {
              await returnAttempt(tx, trierOf(attempt, account))
              return askSecondStep(tx, services, account, methods, call.request.headers['accept-language'])
            }
            const pair = await enter(tx, attempt, account, call.request, 'password')
            return { ...pair, login2FAType: none, mustChangePassword: account.mustChangePassword }
          })
        })
      },

      async login(call) {
        const { body, request } = call
        const attempt = attemptOf(call)
        return oneAtATime(attempt, async () => {
          const judged = await checkCredentials(db, attempt, body.password)
          const { account } = judged
          const pair = await withSystem(db, async (tx) => {
            const by = await proveSignIn(tx, services, account.id, body.onePassKey, body)
            return by === undefined ? undefined : enter(tx, attempt, account, request, by)
          })
          return pair ?? refuse(db, attempt, judged, 'code')
        })
      },
    },
  )
}

async function proveSignIn(db: Database, services: Services, accountId: number, key: string, proof: Proof) {
  const pass = await holdOnePass(db, key, accountId, 'signIn')
  if (!pass) return undefined
  const { offered } = await methodsOf(db, accountId)
  const by = await verifySecondFactor(db, services, accountId, offered, pass, proof)
  if (by !== undefined) await pass.use()
  return by
}
