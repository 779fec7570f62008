/** Replacement pages: loading, not found, not allowed, crashed. */
import { tiers } from '@breakwater/contract/endpoint.ts'
import { type ErrorComponentProps, Link, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Button, buttonClass } from '../kit/Button.tsx'
import { Failed } from '../kit/faults.tsx'
import { Fault } from '../platform/fault.ts'
import { usePhrases } from '../platform/phrases.ts'
import { placesOf, usePlaces } from '../platform/places.ts'
import { hasSession } from '../platform/session.ts'

function Notice({ title, text, children }: { title: string; text?: string; children?: ReactNode }) {
  return (
    <div className="mx-auto grid min-h-[60vh] max-w-[440px] place-content-center gap-2 px-4 text-center">
      <title>{title}</title>
      <h1 className="font-semibold text-[20px] leading-7">{title}</h1>
      {text && <p className="text-ink-2">{text}</p>}
      {children && <div className="mt-2 flex justify-center gap-2">{children}</div>}
    </div>
  )
}

/** `home` is the target of its button. */
function NotFound({ home }: { home: string }) {
  const t = usePhrases('platform')
  return (
    <Notice title={t('notFound.title')} text={t('notFound.text')}>
      <Link to={home} className={buttonClass({ look: 'solid' })}>
        {t('notFound.home')}
      </Link>
    </Notice>
  )
}

export function NotFoundPage() {
  // The URL does not tell which console it belonged to: home is the console with a session.
  const here = tiers.find((tier) => hasSession(tier))
  return (
    <main>
      <NotFound home={here ? placesOf(here).home : '/'} />
    </main>
  )
}

/** Within the frame of the console, whose navigation remains usable. */
export const NotFoundInside = () => <NotFound home={usePlaces().home} />

export function NotAllowed() {
  const t = usePhrases('platform')
  return <Notice title={t('notAllowed.title')} text={t('notAllowed.text')} />
}

/** An outage is reported as such, with a retry; a bug of ours shows its error. */
export function CrashPage({ error, reset }: ErrorComponentProps) {
  const t = usePhrases('platform')
  const tKit = usePhrases('kit')
  const router = useRouter()
  function retry() {
    reset()
    void router.invalidate()
  }
  if (error instanceof Fault) return <Failed fault={error} retry={retry} />
  return (
    <Notice title={t('crashed.title')} text={error instanceof Error ? error.message : ''}>
      <Button onClick={retry}>{tKit('retry')}</Button>
    </Notice>
  )
}
