/** Who is signed in to the current console, and with which permissions. */
import { account, type SelfInfo } from '@breakwater/contract/account/self.ts'
import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import type { Tier } from '@breakwater/contract/endpoint.ts'
import type { Permission } from '@breakwater/contract/permissions.ts'
import { useSuspenseQuery } from '@tanstack/react-query'
import { redirect } from '@tanstack/react-router'
import { queryClient, queryOf } from './calls.ts'
import { tellEnded } from './ended.ts'
import { Fault } from './fault.ts'
import { tellTabs } from './other-tabs.ts'
import { phrasesNow } from './phrases.ts'
import { placesOf } from './places.ts'
import { toasts } from './toasts.ts'
import { cookieTokens } from './tokens.ts'

export const hasSession = (tier: Tier): boolean => cookieTokens.read(tier) !== undefined

/** The account of a console's session. It must belong to that console: a token of another kind is discarded. */
async function loadSelf(tier: Tier): Promise<SelfInfo | undefined> {
  const self = await queryClient.ensureQueryData({ ...queryOf(account.self, {}), staleTime: 60_000 })
  if (self.auth === tier) {
    tellTabs(tier, self.id)
    return self
  }
  cookieTokens.clear(tier)
  queryClient.clear()
  toasts.failed((await phrasesNow('platform'))('authMismatch'))
  return undefined
}

/** Stores the tokens of a sign-in. Returns where to go, or undefined if the account does not belong to this console. */
export async function startSession(tier: Tier, tokens: TokenSet): Promise<string | undefined> {
  cookieTokens.write(tier, tokens)
  tellEnded(undefined)
  queryClient.removeQueries({ queryKey: [account.self.id, tier] })
  const self = await loadSelf(tier)
  if (!self) return undefined
  return self.mustChangePassword ? placesOf(tier).password : placesOf(tier).home
}

/** Where this tab keeps the previous session while acting for another account. */
export const beforeKey = (tier: Tier) => `breakwater.before.${tier}`

/** Forgets a session, and the one that was put aside for it: signing out leaves nothing behind. */
export function endSession(tier: Tier): void {
  cookieTokens.clear(tier)
  sessionStorage.removeItem(beforeKey(tier))
  queryClient.clear()
  tellTabs(tier, undefined)
}

/**
 * Guards every page that needs a session: without one, it redirects to the sign-in page, which leads back here
 * afterwards.
 */
export async function requireSession(tier: Tier, path: string, search: string): Promise<void> {
  const places = placesOf(tier)
  const toSignIn = () => redirect({ to: places.signIn, search: { back: path + search } as never })
  if (!hasSession(tier)) throw toSignIn()
  try {
    const self = await loadSelf(tier)
    if (!self) throw toSignIn()
    if (self.mustChangePassword && path !== places.password) throw redirect({ to: places.password })
  } catch (error) {
    if (error instanceof Fault && !hasSession(tier)) throw toSignIn()
    throw error
  }
}

export function useSelf(): SelfInfo {
  return useSuspenseQuery({ ...queryOf(account.self, {}), staleTime: 60_000 }).data
}

export function useMay(): (permission: Permission) => boolean {
  const { permissions } = useSelf()
  return (permission) => permissions.includes(permission)
}
