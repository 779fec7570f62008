/** Signs out: ends the session on the server and here, and opens the sign-in page. */
import { signIn } from '@breakwater/contract/auth/sign-in.ts'
import { useNavigate } from '@tanstack/react-router'
import { send } from '../platform/browser.ts'
import { Fault } from '../platform/fault.ts'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'
import { endSession } from '../platform/session.ts'
import { toasts } from '../platform/toasts.ts'
import { cookieTokens } from '../platform/tokens.ts'

export function useSignOut(): () => Promise<void> {
  const t = usePhrases('shell')
  const places = usePlaces()
  const navigate = useNavigate()
  return async () => {
    const tokens = cookieTokens.read(places.tier)
    let refusal: Fault | undefined
    if (tokens) {
      const { accessToken, refreshToken } = tokens
      try {
        await send(signIn.logout, { body: { accessToken, refreshToken } })
      } catch (error) {
        if (!(error instanceof Fault)) throw error
        // The sign-in page opens whatever the server's response, but must not claim that the session ended if it did
        // not.
        refusal = error
      }
    }
    await navigate({ to: places.signIn, search: {} as never })
    endSession(places.tier)
    await navigate({ to: places.signIn, search: {} as never })
    if (refusal) toasts.failed(refusal.code === 0 ? t('signedOut.here') : refusal.message, t('signedOut.here'))
    else toasts.done(t('signedOut'))
  }
}
