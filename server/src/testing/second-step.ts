/** What a person with an authenticator app does, for tests. */
import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import type { Tier } from '@breakwater/contract/endpoint.ts'
import { type TOTP, URI } from 'otpauth'
import { afterEach, beforeEach, vi } from 'vitest'
import { type Answer, type TestServer, testPassword } from './server.ts'

/**
 * Freezes the clock in each test of a file: no code expires between its creation and its use, however slow the machine.
 */
export function holdTimeOfDay(): void {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })
}

/** The code that the app shows for an otpauth address, `steps` later or earlier. */
export const appCode = (qrCodeData: string, steps = 0): string =>
  (URI.parse(qrCodeData) as TOTP).generate({ timestamp: Date.now() + steps * 30_000 })

/** Sets up an app. Returns its address, and the recovery codes. */
export async function setUpApp(server: TestServer, tier: Tier, as: TokenSet, password = testPassword) {
  const phase = async (n: number, body: object) => {
    const answer = await server.call('POST', `/${tier}/login2fa/phase${n}`, { as, body })
    if (answer.status !== 200) throw new Error(`phase ${n} answered ${JSON.stringify(answer.body)}`)
    return answer.body.data
  }
  const zero = await phase(0, { password })
  const one = await phase(1, { onePassKey: zero.onePassKey, login2FAType: 3 })
  // The code of the previous step is accepted too, and leaves the present one for signing in.
  const two = await phase(2, { onePassKey: one.onePassKey, code: appCode(one.qrCodeData, -1) })
  return { app: one.qrCodeData as string, recoveryCodes: two.recoveryCodes as string[] }
}

/** The first step, and then the second one with a code. */
export async function signInWithCode(
  server: TestServer,
  who: { tier: Tier; account: string; password?: string },
  code: (first: Answer) => string,
): Promise<Answer> {
  const { tier, account, password = testPassword } = who
  const first = await server.call('POST', `/${tier}/code`, { body: { account, password } })
  if (first.status !== 200) return first
  const { onePassKey, login2FAType } = first.body.data
  return server.call('POST', `/${tier}/login`, {
    body: { account, password, onePassKey, login2FAType, code: code(first) },
  })
}
