/** `send` in the browser: cookies, Web Locks, and the redirect to the sign-in page when a session ends. */
import { type Tier, tiers } from '@breakwater/contract/endpoint.ts'
import { tagOf } from '@breakwater/contract/phrases.ts'
import type { Fault } from './fault.ts'
import { currentLocale } from './locale.ts'
import { noteAnswer } from './reach.ts'
import { makeSend } from './send.ts'
import { noteRevision } from './site-changes.ts'
import { cookieTokens } from './tokens.ts'

/** The current console: the first segment of the path. */
export function tierOf(path: string): Tier {
  const first = path.split('/')[1]
  return tiers.find((tier) => tier === first) ?? 'user'
}
export const currentTier = (): Tier => tierOf(location.pathname)

let whenSignedOut: (tier: Tier, fault: Fault) => void = () => {}
export function onSignedOut(run: typeof whenSignedOut): void {
  whenSignedOut = run
}

export const send = makeSend({
  fetch: (input, init) => fetch(input, init),
  tokens: cookieTokens,
  tier: currentTier,
  language: () => tagOf(currentLocale()),
  // Web Locks need a secure context. Over plain HTTP from another machine, tabs do not coordinate, and the server's
  // grace period for rotated tokens covers it.
  alone: (name, run) => (navigator.locks ? navigator.locks.request(name, run) : run()),
  signedOut: (tier, fault) => whenSignedOut(tier, fault),
  published: noteRevision,
  heard: noteAnswer,
  settleMs: 200,
})
