/** The mail server, and a letter to try it: what the server says is shown as it said it. */
import type { Reply } from '@breakwater/contract/endpoint.ts'
import { MailSettings, mailEncryptions, messageSettings } from '@breakwater/contract/messages/settings.ts'
import { signInPolicy } from '@breakwater/contract/system/sign-in-policy.ts'
import { useCall, useChange } from '../app/calls.ts'
import { usePhrases } from '../app/phrases.ts'
import { Button } from '../kit/Button.tsx'
import { Form } from '../kit/Form.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { Status } from '../kit/Status.tsx'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { Loaded } from '../system/Loaded.tsx'
import { Trial } from './Trial.tsx'

const Field = fieldsOf(MailSettings)
type Stored = Reply<typeof messageSettings.mail>

export function MailPanel({ mayWrite }: { mayWrite: boolean }) {
  const t = usePhrases('messages')
  const call = useCall(messageSettings.mail, {})
  return (
    <Loaded title={t('mail.title')} help={t('mail.help')} call={call}>
      {(stored) => <MailForm stored={stored} mayWrite={mayWrite} />}
    </Loaded>
  )
}

function MailForm({ stored, mayWrite }: { stored: Stored; mayWrite: boolean }) {
  const t = usePhrases('messages')
  const update = useChange(messageSettings.updateMail, messageSettings.mail, signInPolicy.getVerify)
  const test = useChange(messageSettings.testMail, messageSettings.mail, signInPolicy.getVerify)
  const { passwordSet, tested, ...values } = stored
  // A password that is left empty stays as it is.
  const typed = ({ password, ...rest }: MailSettings) => ({ ...rest, ...(password ? { password } : {}) })
  const form = useResourceForm(MailSettings, {
    values,
    save: (body) => update.mutateAsync({ body: typed(body) }),
    done: t('saved'),
  })
  async function send(to: string): Promise<string> {
    const { enable: _, ...body } = typed(form.methods.getValues() as MailSettings)
    await test.mutateAsync({ body: { ...body, ...(to ? { to } : {}) } })
    return t('tested')
  }
  return (
    <Form form={form}>
      <Field.Switch name="enable" label={t('mail.enable')} />
      <div className="grid gap-x-4 sm:grid-cols-[2fr_1fr_1.4fr]">
        <Field.Text name="host" label={t('mail.host')} mono placeholder="smtp.harbour.example" />
        <Field.Number name="port" label={t('mail.port')} />
        <Field.Select
          name="encryption"
          label={t('mail.encryption')}
          options={mailEncryptions.map((value) => ({ value, label: t(`mail.encryption.${value}`) }))}
        />
      </div>
      <div className="grid gap-x-4 sm:grid-cols-2">
        <Field.Text name={'account' as never} label={t('mail.account')} />
        <Field.Secret
          name={'password' as never}
          label={t('mail.password')}
          autoComplete="new-password"
          {...(passwordSet ? { help: t('mail.passwordKept') } : {})}
        />
      </div>
      <Field.Text name="from" label={t('mail.from')} help={t('mail.fromHelp')} />
      <p className="mb-4">
        <Status wraps tone={tested ? 'ok' : 'warn'}>
          {t(tested ? 'mail.isTested' : 'mail.notTested')}
        </Status>
      </p>
      {mayWrite && (
        <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
          <Button look="solid" type="submit" busy={form.busy}>
            {t('save')}
          </Button>
          <Trial
            label={t('mail.test')}
            inputLabel={t('mail.testTo')}
            check={() => form.methods.trigger(['host', 'port', 'encryption', 'from'])}
            run={send}
          />
        </div>
      )}
    </Form>
  )
}
