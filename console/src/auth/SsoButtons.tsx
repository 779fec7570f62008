/** The single sign-on providers that the sign-in page offers besides the password. */
import { singleSignOn } from '@breakwater/contract/auth/single-sign-on.ts'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../kit/Button.tsx'
import { showFault } from '../kit/faults.tsx'
import { useCall } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { leaveForProvider } from './sso.ts'

export function SsoButtons() {
  const t = usePhrases('auth')
  const { back } = useSearch({ strict: false }) as { back?: unknown }
  const [busy, setBusy] = useState<number>()
  const providers = useCall(singleSignOn.list, {}).data?.data ?? []
  if (providers.length === 0) return null
  async function go(id: number) {
    setBusy(id)
    try {
      await leaveForProvider(id, typeof back === 'string' ? back : '')
    } catch (fault) {
      setBusy(undefined)
      await showFault(fault)
    }
  }
  return (
    <div className="mt-4 grid gap-2 border-line border-t pt-4">
      {providers.map(({ id, name }) => (
        <Button key={id} busy={busy === id} onClick={() => go(id)} className="w-full">
          {t('sso.with', { name })}
        </Button>
      ))}
    </div>
  )
}
