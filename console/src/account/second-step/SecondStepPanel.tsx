/** How the person signs in: password, authenticator app, codes by mail, passkeys, recovery codes. */
import { secondStep } from '@breakwater/contract/auth/second-step.ts'
import { login2FATypes } from '@breakwater/contract/auth/sign-in.ts'
import { type ReactNode, useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { Failed } from '../../kit/faults.tsx'
import { laterFloat } from '../../kit/later-float.tsx'
import { Panel } from '../../kit/Panel.tsx'
import { useCall } from '../../platform/calls.ts'
import { usePhrases } from '../../platform/phrases.ts'
import { Passkeys } from './Passkeys.tsx'
import { SecondStepMethod } from './SecondStepMethod.tsx'

const SetUpDialog = laterFloat('dialog', () => import('./SetUpDialog.tsx').then((file) => file.SetUpDialog))
const RenewDialog = laterFloat('dialog', () => import('./RenewDialog.tsx').then((file) => file.RenewDialog))

const { none, email, totp } = login2FATypes
/** With this many recovery codes left or fewer, the person is told to make new ones. */
const fewCodes = 3

export function SecondStepPanel({ children }: { children: ReactNode }) {
  const t = usePhrases('account')
  const call = useCall(secondStep.state, {})
  const [settingUp, setSettingUp] = useState<0 | 1 | 3>()
  const [isRenewing, setRenewing] = useState(false)
  const state = call.data
  if (call.isError && !state)
    return (
      <Panel title={t('security')}>
        <Failed fault={call.error} retry={() => call.refetch()} />
      </Panel>
    )
  if (!state)
    return (
      <Panel title={t('security')}>
        <div className="skeleton h-40" />
      </Panel>
    )
  const hasApp = state.chosen === totp
  const hasMail = state.chosen === email
  const hasDevice = hasApp || state.passkeys.length > 0
  return (
    <Panel title={t('security')} aside={children}>
      <ul className="divide-y divide-line">
        <SecondStepMethod title={t('app.title')} help={t('app.help')} badge={hasApp && t('app.on')}>
          <Button onClick={() => setSettingUp(totp)}>{t(hasApp ? 'app.replace' : 'app.setUp')}</Button>
          {hasApp && (
            <Button look="danger" onClick={() => setSettingUp(none)}>
              {t('app.off')}
            </Button>
          )}
        </SecondStepMethod>
        <Passkeys state={state} />
        <SecondStepMethod
          title={t('mail.title')}
          help={state.mailReady ? t('mail.help') : t('mail.notReady')}
          badge={hasMail && t('mail.on')}
        >
          {hasMail ? (
            <Button look="danger" onClick={() => setSettingUp(none)}>
              {t('mail.off')}
            </Button>
          ) : (
            !hasApp && (
              <Button disabled={!state.mailReady} onClick={() => setSettingUp(email)}>
                {t('mail.setUp')}
              </Button>
            )
          )}
        </SecondStepMethod>
        {hasDevice && (
          <SecondStepMethod
            title={t('codes.title')}
            help={t(state.recoveryCodes < fewCodes ? 'codes.low' : 'codes.left', { n: state.recoveryCodes })}
          >
            <Button onClick={() => setRenewing(true)}>{t('codes.renew')}</Button>
          </SecondStepMethod>
        )}
      </ul>
      {settingUp !== undefined && <SetUpDialog type={settingUp} onClose={() => setSettingUp(undefined)} />}
      {isRenewing && <RenewDialog onClose={() => setRenewing(false)} />}
    </Panel>
  )
}
