/** One provider: its URL, our client there, and who may sign in. */
import { SsoSettings, type StoredSso, ssoSettings } from '@breakwater/contract/auth/single-sign-on.ts'
import type { Tier } from '@breakwater/contract/endpoint.ts'
import { useState } from 'react'
import type { z } from 'zod'
import { Button } from '../kit/Button.tsx'
import { CopyText } from '../kit/CopyText.tsx'
import { FormDrawer } from '../kit/FormDrawer.tsx'
import { showFault } from '../kit/faults.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import type { useResourceForm } from '../kit/useResourceForm.ts'
import { useMergedForm } from '../pickers/conflicts/useMergedForm.ts'
import { send } from '../platform/browser.ts'
import { useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'

const Field = fieldsOf(SsoSettings)
type Sent = z.output<typeof SsoSettings>

type Props = { auth: Tier; provider: StoredSso | undefined; onClose: () => void }

/** The fields of a stored provider that are sent back. */
const keptOf = ({ hasSecret: _, redirectURI: __, ...kept }: StoredSso): Kept => kept
type Kept = Omit<StoredSso, 'hasSecret' | 'redirectURI'>

export function SsoForm({ auth, provider, onClose }: Props) {
  const t = usePhrases('system')
  const update = useChange(ssoSettings.update, ssoSettings.get)
  const { form, dialog } = useMergedForm<Kept>(SsoSettings, {
    stored: provider
      ? keptOf(provider)
      : { auth, enable: true, name: '', issuer: '', clientID: '', matchesEmail: true, createsAccounts: false },
    fieldsOf: (kept) => ({ ...kept, clientSecret: '' }),
    // An empty secret field keeps the stored secret.
    write: (fields, basedOn) => {
      const { clientSecret, ...body } = fields as Sent
      const isSecretSent = clientSecret || !provider
      return update.mutateAsync({
        body: { ...body, ...(isSecretSent ? { clientSecret } : {}), ...(provider && basedOn ? { basedOn } : {}) },
      })
    },
    readNow: async () => {
      const now = (await send(ssoSettings.get, {})).data.find((one) => one.auth === auth)
      return now && keptOf(now)
    },
    done: t('saved'),
    onSaved: onClose,
  })
  return (
    <FormDrawer form={form} title={t(`sso.console.${auth}`)} onClose={onClose}>
      <Field.Switch name="enable" label={t('sso.enable')} />
      <Field.Text name="name" label={t('sso.name')} help={t('sso.nameHelp')} />
      <Field.Text name="issuer" label={t('sso.issuer')} help={t('sso.issuerHelp')} inputMode="url" mono />
      <Field.Text name="clientID" label={t('sso.clientID')} mono />
      <Field.Secret
        name={'clientSecret' as never}
        label={t('sso.secret')}
        help={t(provider?.hasSecret ? 'sso.secretKept' : 'sso.secretHelp')}
        autoComplete="off"
      />
      <Trial form={form} />
      <p className="mb-1.5 font-medium">{t('sso.redirect')}</p>
      <CopyText text={provider?.redirectURI ?? `${location.origin}/${auth}/login/sso`} block />
      <p className="mt-1 mb-4 text-ink-3 text-xs">{t('sso.redirectHelp')}</p>
      <Field.Switch name="matchesEmail" label={t('sso.matches')} help={t('sso.matchesHelp')} />
      <Field.Switch name="createsAccounts" label={t('sso.creates')} help={t(`sso.creates.${auth}`)} />
      {dialog}
    </FormDrawer>
  )
}

/** Tests the provider before anything is saved, and shows its response. */
function Trial({ form }: { form: ReturnType<typeof useResourceForm> }) {
  const t = usePhrases('system')
  const test = useChange(ssoSettings.test)
  const [said, setSaid] = useState<{ ok: boolean; detail: string }>()
  async function ask() {
    setSaid(undefined)
    if (!(await form.methods.trigger(['issuer', 'clientID']))) return
    const { issuer, clientID } = form.methods.getValues()
    try {
      setSaid(await test.mutateAsync({ body: { issuer, clientID } }))
    } catch (fault) {
      await showFault(fault)
    }
  }
  return (
    <div className="mb-4">
      <Button busy={test.isPending} onClick={ask}>
        {t('sso.test')}
      </Button>
      <p role="status" className={said?.ok ? 'mt-1.5 text-ok' : 'mt-1.5 break-words text-bad'}>
        {said && (said.ok ? t('sso.testOk') : t('sso.testFailed', { detail: said.detail }))}
      </p>
    </div>
  )
}
