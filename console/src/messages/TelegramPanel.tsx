/** The operator's Telegram bot. */
import type { Reply } from '@breakwater/contract/endpoint.ts'
import { messageSettings } from '@breakwater/contract/messages/settings.ts'
import { z } from 'zod'
import { useCall, useChange } from '../app/calls.ts'
import { usePhrases } from '../app/phrases.ts'
import { Button } from '../kit/Button.tsx'
import { Form } from '../kit/Form.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { Loaded } from '../system/Loaded.tsx'
import { Trial } from './Trial.tsx'

const schema = z.object({ enable: z.boolean(), token: z.string().trim() })
const Field = fieldsOf(schema)

export function TelegramPanel({ mayWrite }: { mayWrite: boolean }) {
  const t = usePhrases('messages')
  const call = useCall(messageSettings.telegram, {})
  return (
    <Loaded title={t('tg.title')} help={t('tg.help')} call={call}>
      {(stored) => <TelegramForm stored={stored} mayWrite={mayWrite} />}
    </Loaded>
  )
}

function TelegramForm({ stored, mayWrite }: { stored: Reply<typeof messageSettings.telegram>; mayWrite: boolean }) {
  const t = usePhrases('messages')
  const update = useChange(messageSettings.updateTelegram, messageSettings.telegram)
  const test = useChange(messageSettings.testTelegram)
  const form = useResourceForm(schema, {
    values: { enable: stored.enable, token: '' },
    save: ({ enable, token }) => update.mutateAsync({ body: { enable, ...(token ? { token } : {}) } }),
    done: t('saved'),
  })
  async function ask(): Promise<string> {
    const { token } = form.methods.getValues() as z.output<typeof schema>
    const { bot } = await test.mutateAsync({ body: token ? { token } : {} })
    return t('tg.bot', { bot })
  }
  return (
    <Form form={form}>
      <Field.Switch name="enable" label={t('tg.enable')} />
      <Field.Secret
        name="token"
        label={t('tg.token')}
        help={t(stored.tokenSet ? 'mail.passwordKept' : 'tg.tokenHelp')}
      />
      {mayWrite && (
        <div className="flex flex-wrap items-start gap-x-6 gap-y-3">
          <Button look="solid" type="submit" busy={form.busy}>
            {t('save')}
          </Button>
          <Trial label={t('tg.test')} check={async () => true} run={ask} />
        </div>
      )}
    </Form>
  )
}
