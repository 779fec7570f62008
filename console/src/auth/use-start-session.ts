/**
 * From tokens to the first page: stores and checks the tokens, greets the person, and returns to the page that required
 * the sign-in.
 */
import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'
import { startSession } from '../platform/session.ts'
import { toasts } from '../platform/toasts.ts'

export function useStartSession() {
  const t = usePhrases('auth')
  const places = usePlaces()
  const navigate = useNavigate()
  const { back } = useSearch({ strict: false }) as { back?: unknown }
  return {
    /** The first page of the session; undefined if the account does not belong to this console. */
    begin: (tokens: TokenSet) => startSession(places.tier, tokens),
    go(first: string | undefined, wanted: unknown = back) {
      if (first === undefined) return
      toasts.done(t('done'))
      // Only addresses of this console: a link from outside must not redirect elsewhere.
      const isOurs =
        typeof wanted === 'string' && wanted.startsWith(`/${places.tier}/`) && !wanted.startsWith(places.signIn)
      void navigate({ href: first === places.home && isOurs ? wanted : first, replace: true } as never)
    },
  }
}
