/** From tokens to the first page: kept, checked, greeted, and back to where one was sent away from. */
import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { usePhrases } from '../app/phrases.ts'
import { usePlaces } from '../app/places.ts'
import { startSession } from '../app/session.ts'
import { toasts } from '../kit/toasts.tsx'

export function useEnter(): (tokens: TokenSet) => Promise<void> {
  const t = usePhrases('auth')
  const places = usePlaces()
  const navigate = useNavigate()
  const { back } = useSearch({ strict: false }) as { back?: unknown }
  return async (tokens) => {
    const first = await startSession(places.tier, tokens)
    if (!first) return
    toasts.done(t('done'))
    // Only addresses of this console: a link from outside shall not lead elsewhere.
    const isOurs = typeof back === 'string' && back.startsWith(`/${places.tier}/`) && !back.startsWith(places.door)
    const to = first === places.home && isOurs ? back : first
    await navigate({ href: to, replace: true } as never)
  }
}
