/**
 * Tabs share the session cookies, so each tells the others who is signed in: a page of one account must never act as
 * another.
 */
import type { Tier } from '@breakwater/contract/endpoint.ts'
import { tiers } from '@breakwater/contract/tiers.ts'

const keyOf = (tier: Tier) => `breakwater.who.${tier}`

/** Tells the other tabs; `accountId` is undefined if nobody is signed in any more. */
export function tellTabs(tier: Tier, accountId: number | undefined): void {
  if (accountId === undefined) localStorage.removeItem(keyOf(tier))
  else localStorage.setItem(keyOf(tier), String(accountId))
}

/** Calls `run` when another tab signs out of a console, or in with an account. */
export function followTabs(run: (tier: Tier, accountId: number | undefined) => void): void {
  addEventListener('storage', ({ key, newValue }) => {
    const tier = tiers.find((one) => keyOf(one) === key)
    if (tier) run(tier, newValue === null ? undefined : Number(newValue))
  })
}
