/** Actions on an account's sign-in, and removing the account with its dependants. */
import { type Account, accounts } from '@breakwater/contract/account/accounts.ts'
import { useState } from 'react'
import { Button } from '../kit/Button.tsx'
import { ConfirmButton } from '../kit/ConfirmButton.tsx'
import { showFault } from '../kit/faults.tsx'
import { useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'
import { toasts } from '../platform/toasts.ts'
import { ActForDialog } from './ActForDialog.tsx'
import { LinkDialog } from './LinkDialog.tsx'
import { RemoveAccount } from './RemoveAccount.tsx'
import { Section } from './Section.tsx'
import { SetPassword } from './SetPassword.tsx'

export function AccountActions({ account, onRemoved }: { account: Account; onRemoved: () => void }) {
  const t = usePhrases('people')
  const { tier } = usePlaces()
  const [open, setOpen] = useState<'password' | 'act' | 'remove'>()
  const [link, setLink] = useState<string>()
  const resending = useChange(accounts.resendEmail)
  const resetting = useChange(accounts.resetSecondStep, accounts.list)
  const target = { body: { auth: account.auth, id: account.id } }
  const name = account.name || account.account
  // The vendor manages operators; only an operator may act for its own customers.
  const mayAct = account.status === 1 && !account.invited && !(tier === 'admin' && account.auth === 'user')
  const close = () => setOpen(undefined)
  function tell(sent: { isQueued: boolean; link: string | null }) {
    if (sent.isQueued) toasts.done(t('resent'), t('queued', { email: account.email }))
    else toasts.failed(t('undelivered'))
    if (sent.link) setLink(sent.link)
  }
  return (
    <Section title={t('security')}>
      <div className="flex flex-wrap gap-2">
        <Button
          busy={resending.isPending}
          onClick={() => resending.mutate(target, { onError: showFault, onSuccess: tell })}
        >
          {t('resend')}
        </Button>
        <Button onClick={() => setOpen('password')}>{t('password.set')}</Button>
        {account.login2FAType > 0 && (
          <ConfirmButton
            label={t('reset2fa')}
            title={t('reset2fa.title', { name })}
            consequence={t('reset2fa.text')}
            confirmLabel={t('reset2fa')}
            onConfirm={async () => {
              await resetting.mutateAsync(target)
              toasts.done(t('reset2fa.done'))
            }}
          />
        )}
        {mayAct && <Button onClick={() => setOpen('act')}>{t('act')}</Button>}
        <Button look="danger" onClick={() => setOpen('remove')}>
          {t('remove')}
        </Button>
      </div>
      {/* React bubbles a dialog's submit event to the drawer that renders it, but it must not submit the drawer's
          form. */}
      <div onSubmit={(event) => event.stopPropagation()}>
        {open === 'password' && <SetPassword account={account} onClose={close} />}
        {open === 'act' && <ActForDialog target={account} onClose={close} />}
        {link && <LinkDialog link={link} onClose={() => setLink(undefined)} />}
        {open === 'remove' && <RemoveAccount account={account} onClose={close} onRemoved={onRemoved} />}
      </div>
    </Section>
  )
}
