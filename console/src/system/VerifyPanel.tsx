/** Verification by mail for accounts without a second step of their own. */
import type { Reply } from '@breakwater/contract/endpoint.ts'
import { signInPolicy } from '@breakwater/contract/system/sign-in-policy.ts'
import { showFault } from '../kit/faults.tsx'
import { Loaded } from '../kit/Loaded.tsx'
import { Select } from '../kit/Select.tsx'
import { Setting } from '../kit/SettingsSection.tsx'
import { fieldWords } from '../pickers/conflicts/field-words.ts'
import type { Fields } from '../pickers/conflicts/merge.ts'
import { useMergedSave } from '../pickers/conflicts/useMergedSave.tsx'
import { send } from '../platform/browser.ts'
import { useCall, useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { toasts } from '../platform/toasts.ts'

type Answer = Reply<typeof signInPolicy.getVerify>
type Policy = Pick<Answer, 'login2FAType'>

export function VerifyPanel({ mayWrite }: { mayWrite: boolean }) {
  const t = usePhrases('system')
  const call = useCall(signInPolicy.getVerify, {})
  const update = useChange(signInPolicy.setVerify, signInPolicy.getVerify)
  const named = ({ login2FAType }: Fields) => ({ login2FAType: t(`verify.${login2FAType as 0}`) })
  const { save, dialog } = useMergedSave<Policy>({
    what: 'conflict.settings',
    fieldsOf: ({ login2FAType }) => ({ login2FAType }),
    write: (fields, basedOn) => {
      const { login2FAType } = fields as Policy
      return update.mutateAsync({ body: { enable: login2FAType === 1, login2FAType, ...(basedOn && { basedOn }) } })
    },
    readNow: () => send(signInPolicy.getVerify, {}),
    words: (was, is, say) => fieldWords(new Map([['login2FAType', t('verify.label')]]))(named(was), named(is), say),
  })
  return (
    <Loaded title={t('verify.title')} help={t('verify.help')} call={call}>
      {({ login2FAType, mailReady }: Answer) => (
        <div>
          <Setting label={t('verify.label')} {...(mailReady ? {} : { help: t('verify.noMail') })}>
            <Select
              label={t('verify.label')}
              className="w-full"
              value={login2FAType}
              disabled={!mayWrite || update.isPending}
              onChange={(type) =>
                save({ login2FAType: type }, { login2FAType }).then(
                  ({ kept }) => toasts.done(kept ?? t('saved')),
                  showFault,
                )
              }
              options={([0, 1, 2] as const)
                .filter((value) => value !== 1 || mailReady || login2FAType === 1)
                .map((value) => ({ value, label: t(`verify.${value}`) }))}
            />
            {dialog}
          </Setting>
        </div>
      )}
    </Loaded>
  )
}
