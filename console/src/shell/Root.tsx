/** What surrounds every page: the language, the brand, the messages. */
import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense, useCallback, useEffect, useMemo, useState, useTransition } from 'react'
import { useListedFault } from '../kit/faults.tsx'
import { applyLocale, currentLocale, followLocale, type Locale, LocaleContext } from '../platform/locale.ts'
import { useToastsWanted } from '../platform/toasts.ts'
import { BrandHead } from './BrandHead.tsx'

const Toaster = lazy(() => import('../kit/Toaster.tsx').then((file) => ({ default: file.Toaster })))
const FaultList = lazy(() => import('../kit/FaultList.tsx').then((file) => ({ default: file.FaultList })))

export function Root() {
  const hasToasts = useToastsWanted()
  const listed = useListedFault()
  const [locale, setState] = useState(currentLocale)
  // The old texts stay until the new ones are loaded.
  const [, transition] = useTransition()
  const setLocale = useCallback((next: Locale) => {
    applyLocale(next, true)
    transition(() => setState(next))
  }, [])
  useEffect(() => followLocale((next) => transition(() => setState(next))), [])
  const value = useMemo(() => ({ locale, setLocale }), [locale, setLocale])
  return (
    <LocaleContext value={value}>
      <BrandHead />
      <Outlet />
      <Suspense>
        {hasToasts && <Toaster />}
        {listed && <FaultList fault={listed} />}
      </Suspense>
    </LocaleContext>
  )
}
