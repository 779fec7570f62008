/** The passkeys of an account. */
import { type Passkey, passkeys, type SecondStepState, secondStep } from '@breakwater/contract/auth/second-step.ts'
import { useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { laterFloat } from '../../kit/later-float.tsx'
import { useChange } from '../../platform/calls.ts'
import { useFormat } from '../../platform/format.ts'
import { usePhrases } from '../../platform/phrases.ts'
import { toasts } from '../../platform/toasts.ts'
import { AskForm } from './AskForm.tsx'
import { SecondStepMethod } from './SecondStepMethod.tsx'

const AddPasskey = laterFloat('dialog', () => import('./AddPasskey.tsx').then((file) => file.AddPasskey))

export function Passkeys({ state }: { state: SecondStepState }) {
  const t = usePhrases('account')
  const format = useFormat()
  const [isAdding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<Passkey>()
  const isHere = state.passkeyOrigin === location.origin
  const help = isHere
    ? t('keys.help')
    : state.passkeyOrigin
      ? t('keys.elsewhere', { origin: state.passkeyOrigin })
      : t('keys.unavailable')
  const list = state.passkeys.length > 0 && (
    <ul className="mt-2 divide-y divide-line rounded-control border border-line">
      {state.passkeys.map((one) => (
        <li key={one.id} className="flex flex-wrap items-center justify-between gap-2 px-3 py-2">
          <span className="min-w-0 flex-1 basis-48">
            <span className="break-words font-medium">{one.name}</span>
            <span className="block text-ink-3 text-xs">
              {t('keys.created', { at: format.day(one.createdAt) })} ·{' '}
              {one.lastUsedAt ? t('keys.used', { at: format.ago(one.lastUsedAt) }) : t('keys.never')}
            </span>
          </span>
          <Button size="sm" look="danger" onClick={() => setRemoving(one)}>
            {t('keys.remove')}
          </Button>
        </li>
      ))}
    </ul>
  )
  return (
    <>
      <SecondStepMethod
        title={t('keys.title')}
        help={help}
        badge={state.passkeys.length > 0 && t('app.on')}
        below={list}
      >
        <Button disabled={!isHere} onClick={() => setAdding(true)}>
          {t('keys.add')}
        </Button>
      </SecondStepMethod>
      {isAdding && <AddPasskey onClose={() => setAdding(false)} />}
      {removing && <RemovePasskey passkey={removing} onClose={() => setRemoving(undefined)} />}
    </>
  )
}

function RemovePasskey({ passkey: { id, name }, onClose }: { passkey: Passkey; onClose: () => void }) {
  const t = usePhrases('account')
  const remove = useChange(passkeys.remove, secondStep.state)
  return (
    <Dialog title={t('keys.removeTitle', { name })} onClose={onClose}>
      <p className="mb-4 text-ink-2">{t('keys.removeText')}</p>
      <AskForm
        name="password"
        label={t('setUp.password')}
        submit={t('keys.remove')}
        save={async (password) => {
          await remove.mutateAsync({ body: { id, password } })
          toasts.done(t('keys.removed'))
          onClose()
        }}
      />
    </Dialog>
  )
}
