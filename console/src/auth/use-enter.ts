/** From tokens to the first page: kept and checked, then greeted, and back to where one was sent away from. */
import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { usePhrases } from '../app/phrases.ts'
import { usePlaces } from '../app/places.ts'
import { startSession } from '../app/session.ts'
import { toasts } from '../kit/toasts.ts'

export function useEnter() {
  const t = usePhrases('auth')
  const places = usePlaces()
  const navigate = useNavigate()
  const { back } = useSearch({ strict: false }) as { back?: unknown }
  return {
    /** Where the session begins; nothing when the account is not of this console. */
    begin: (tokens: TokenSet) => startSession(places.tier, tokens),
    go(first: string | undefined, wanted: unknown = back) {
      if (first === undefined) return
      toasts.done(t('done'))
      // Only addresses of this console: a link from outside shall not lead elsewhere.
      const isOurs =
        typeof wanted === 'string' && wanted.startsWith(`/${places.tier}/`) && !wanted.startsWith(places.door)
      void navigate({ href: first === places.home && isOurs ? wanted : first, replace: true } as never)
    },
  }
}
