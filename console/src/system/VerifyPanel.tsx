/** Verification by mail for accounts that have no second step of their own. */
import type { Reply } from '@breakwater/contract/endpoint.ts'
import { signInPolicy } from '@breakwater/contract/system/sign-in-policy.ts'
import { showFault } from '../kit/faults.tsx'
import { Loaded } from '../kit/Loaded.tsx'
import { Select } from '../kit/Select.tsx'
import { Setting } from '../kit/SettingsSection.tsx'
import { useCall, useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { toasts } from '../platform/toasts.ts'

type Policy = Reply<typeof signInPolicy.getVerify>

export function VerifyPanel({ mayWrite }: { mayWrite: boolean }) {
  const t = usePhrases('system')
  const call = useCall(signInPolicy.getVerify, {})
  const save = useChange(signInPolicy.setVerify, signInPolicy.getVerify)
  const choose = (login2FAType: 0 | 1 | 2) =>
    save
      .mutateAsync({ body: { enable: login2FAType === 1, login2FAType } })
      .then(() => toasts.done(t('saved')))
      .catch(showFault)
  return (
    <Loaded title={t('verify.title')} help={t('verify.help')} call={call}>
      {({ login2FAType, mailReady }: Policy) => (
        <Setting label={t('verify.label')} {...(mailReady ? {} : { help: t('verify.noMail') })}>
          <Select
            label={t('verify.label')}
            className="w-full"
            value={login2FAType}
            disabled={!mayWrite || save.isPending}
            onChange={choose}
            options={([0, 1, 2] as const)
              .filter((value) => value !== 1 || mailReady || login2FAType === 1)
              .map((value) => ({ value, label: t(`verify.${value}`) }))}
          />
        </Setting>
      )}
    </Loaded>
  )
}
