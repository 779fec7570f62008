/** The browser's part of single sign-on: to the provider, and back with its response. */

import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { singleSignOn } from '@breakwater/contract/auth/single-sign-on.ts'
import { send } from '../platform/browser.ts'

const bindingKey = 'breakwater.sso'

type Kept = { binding: string; back: string }

/** Redirects to a provider. The secret that binds its response to this tab stays in this tab. */
export async function leaveForProvider(id: number, back: string): Promise<void> {
  const binding = btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
  const { url } = await send(singleSignOn.begin, { body: { id, binding } })
  sessionStorage.setItem(bindingKey, JSON.stringify({ binding, back } satisfies Kept))
  location.assign(url)
}

/** Exchanges the provider's response for tokens. Returns undefined if this tab did not start a sign-in. */
export async function returnFromProvider(query: string): Promise<{ tokens: TokenSet; back: string } | undefined> {
  const text = sessionStorage.getItem(bindingKey)
  sessionStorage.removeItem(bindingKey)
  if (text === null || query === '') return undefined
  const { binding, back } = JSON.parse(text) as Kept
  return { tokens: await send(singleSignOn.finish, { body: { binding, query } }), back }
}
