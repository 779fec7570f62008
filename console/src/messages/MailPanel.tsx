/** The mail server, with a test mail: the server's response is shown verbatim. */
import type { Reply } from '@breakwater/contract/endpoint.ts'
import { MailSettings, mailEncryptions, mailSettings } from '@breakwater/contract/messages/mail-settings.ts'
import { messageSettings } from '@breakwater/contract/messages/settings.ts'
import { signInPolicy } from '@breakwater/contract/system/sign-in-policy.ts'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { Loaded } from '../kit/Loaded.tsx'
import { Setting, SettingsSection } from '../kit/SettingsSection.tsx'
import { Status } from '../kit/Status.tsx'
import { Trial } from '../pickers/settings/Trial.tsx'
import { useSettingsForm } from '../pickers/settings/useSettingsForm.ts'
import { useCall, useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'

const Field = fieldsOf(MailSettings)
type Stored = Reply<typeof mailSettings.calls.get>

export function MailPanel({ mayWrite }: { mayWrite: boolean }) {
  const t = usePhrases('messages')
  const call = useCall(mailSettings.calls.get, {})
  return (
    <Loaded title={t('mail.title')} help={t('mail.help')} call={call}>
      {(stored) => <MailForm stored={stored} mayWrite={mayWrite} />}
    </Loaded>
  )
}

function MailForm({ stored, mayWrite }: { stored: Stored; mayWrite: boolean }) {
  const t = usePhrases('messages')
  const test = useChange(messageSettings.testMail, mailSettings.calls.get, signInPolicy.getVerify)
  const { passwordSet, tested, ...values } = stored
  // An empty password field keeps the stored password.
  const typed = ({ password, ...rest }: MailSettings) => ({ ...rest, ...(password ? { password } : {}) })
  const { form, dialog } = useSettingsForm(MailSettings, {
    calls: mailSettings.calls as never,
    place: {} as never,
    refreshes: [signInPolicy.getVerify],
    stored: values,
    fieldsOf: ({ passwordSet: _, tested: __, ...fields }) => fields,
    sent: (fields) => typed(fields as MailSettings),
    done: t('saved'),
    stays: ({ password: _, ...rest }) => rest,
  })
  async function send(to: string): Promise<string> {
    const { enable: _, ...body } = typed(form.methods.getValues() as MailSettings)
    await test.mutateAsync({ body: { ...body, ...(to ? { to } : {}) } })
    return t('tested')
  }
  return (
    <SettingsSection
      form={form}
      mayWrite={mayWrite}
      aside={
        <Trial
          label={t('mail.test')}
          inputLabel={t('mail.testTo')}
          check={() => form.methods.trigger(['host', 'port', 'encryption', 'from'])}
          run={send}
        />
      }
    >
      <Field.Switch name="enable" label={t('mail.enable')} />
      <Field.Text name="host" label={t('mail.host')} mono placeholder="smtp.harbour.example" />
      <Field.Number name="port" label={t('mail.port')} />
      <Field.Select
        name="encryption"
        label={t('mail.encryption')}
        options={mailEncryptions.map((value) => ({ value, label: t(`mail.encryption.${value}`) }))}
      />
      <Field.Text name={'account' as never} label={t('mail.account')} />
      <Field.Secret
        name={'password' as never}
        label={t('mail.password')}
        autoComplete="new-password"
        {...(passwordSet ? { help: t('mail.passwordKept') } : {})}
      />
      <Field.Text name="from" label={t('mail.from')} help={t('mail.fromHelp')} />
      <Setting label={t('mail.state')}>
        <p className="sm:pt-1.5">
          <Status wraps tone={tested ? 'ok' : 'warn'}>
            {t(tested ? 'mail.isTested' : 'mail.notTested')}
          </Status>
        </p>
      </Setting>
      {dialog}
    </SettingsSection>
  )
}
