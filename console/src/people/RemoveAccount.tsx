/**
 * Removes an account: refused if something would be left without an owner. What is removed along with it is listed
 * before the name must be typed.
 */
import { type Account, accounts } from '@breakwater/contract/account/accounts.ts'
import { useId, useState } from 'react'
import { Button } from '../kit/Button.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { Failed, showFault } from '../kit/faults.tsx'
import { Input } from '../kit/Input.tsx'
import { useCall, useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { toasts } from '../platform/toasts.ts'

const forbidding = ['subs', 'sites', 'zones'] as const
const along = ['apiTokens', 'sessions', 'grants'] as const
type Props = { account: Account; onClose: () => void; onRemoved: () => void }

export function RemoveAccount({ account, onClose, onRemoved }: Props) {
  const t = usePhrases('people')
  const tKit = usePhrases('kit')
  const [typed, setTyped] = useState('')
  const inputId = useId()
  const left = useCall(accounts.removalCheck, { userId: account.id })
  const removing = useChange(accounts.remove, accounts.list)
  const counts = left.data
  const blocking = forbidding.filter((what) => counts && counts[what] > 0)
  const going = along.filter((what) => counts && counts[what] > 0)
  const isOpen = counts !== undefined && blocking.length === 0
  async function remove() {
    await removing.mutateAsync({ body: { auth: account.auth, id: account.id } })
    toasts.done(t(`removed.${account.auth}`))
    onRemoved()
  }
  return (
    <Dialog
      title={t('remove.title', { name: account.name || account.account })}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{tKit('cancel')}</Button>
          {isOpen && (
            <Button
              look="danger"
              busy={removing.isPending}
              disabled={typed !== account.account}
              onClick={() => remove().catch(showFault)}
            >
              {t('remove')}
            </Button>
          )}
        </>
      }
    >
      {left.isError && <Failed fault={left.error} retry={() => left.refetch()} />}
      {counts && blocking.length > 0 && (
        <>
          <p className="text-ink-2">{t('remove.blocked')}</p>
          <ul className="mt-1 list-disc pl-5">
            {blocking.map((what) => (
              <li key={what}>{t(`left.${what}`, { n: counts[what] })}</li>
            ))}
          </ul>
        </>
      )}
      {isOpen && (
        <>
          <p className="text-ink-2">{t(going.length > 0 ? 'remove.with' : 'remove.alone')}</p>
          <ul className="mt-1 list-disc pl-5">
            {going.map((what) => (
              <li key={what}>{t(`left.${what}`, { n: counts[what] })}</li>
            ))}
          </ul>
          <label htmlFor={inputId} className="mt-3 mb-1.5 block">
            {tKit('typeToConfirm', { text: account.account })}
          </label>
          <Input id={inputId} value={typed} autoComplete="off" onChange={(event) => setTyped(event.target.value)} />
        </>
      )}
    </Dialog>
  )
}
