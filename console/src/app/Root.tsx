/** What stands around every page: the language, the messages. */
import { Outlet } from '@tanstack/react-router'
import { Suspense, useCallback, useMemo, useState, useTransition } from 'react'
import { FaultList } from '../kit/faults.tsx'
import { Toaster } from '../kit/toasts.tsx'
import { applyLocale, currentLocale, type Locale, LocaleContext } from './locale.ts'

export function Root() {
  const [locale, setState] = useState(currentLocale)
  // The old words stay until the new ones have come.
  const [, transition] = useTransition()
  const setLocale = useCallback((next: Locale) => {
    applyLocale(next, true)
    transition(() => setState(next))
  }, [])
  const value = useMemo(() => ({ locale, setLocale }), [locale, setLocale])
  return (
    <LocaleContext value={value}>
      <Outlet />
      <Suspense>
        <Toaster />
        <FaultList />
      </Suspense>
    </LocaleContext>
  )
}
