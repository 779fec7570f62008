/** Where a provider redirects the browser: the response is exchanged at once and removed from the address bar. */
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { buttonClass } from '../kit/Button.tsx'
import { useFaultText } from '../kit/faults.tsx'
import { Link } from '../kit/Link.tsx'
import { Fault } from '../platform/fault.ts'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'
import { SignInFrame } from './SignInFrame.tsx'
import { returnFromProvider } from './sso.ts'
import { useStartSession } from './use-start-session.ts'

export function SsoReturnScreen() {
  const t = usePhrases('auth')
  const places = usePlaces()
  const navigate = useNavigate()
  const enter = useStartSession()
  const text = useFaultText()
  const [problem, setProblem] = useState<string>()
  const isAsked = useRef(false)

  async function finish() {
    const query = location.search.slice(1)
    history.replaceState(history.state, '', location.pathname)
    try {
      const returned = await returnFromProvider(query)
      if (!returned) return navigate({ to: places.signIn, search: {} as never, replace: true })
      enter.go(await enter.begin(returned.tokens), returned.back)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      setProblem(error.extra === 'unknownPerson' ? t('sso.unknown') : error.extra ? t('sso.failed') : text(error))
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the provider's response can be used only once
  useEffect(() => {
    if (isAsked.current) return
    isAsked.current = true
    void finish()
  }, [])

  return (
    <SignInFrame title={t('sso.title')}>
      {problem ? (
        <>
          <p role="alert" className="mb-4 rounded-control bg-bad-bg px-3 py-2 text-bad">
            {problem}
          </p>
          <Link to={places.signIn} className={buttonClass({}, 'w-full')}>
            {t('verify.back')}
          </Link>
        </>
      ) : (
        <p role="status" className="text-ink-2">
          {t('sso.wait')}
        </p>
      )}
    </SignInFrame>
  )
}
