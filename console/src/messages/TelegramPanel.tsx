/** The operator's Telegram bot. */
import type { Reply } from '@breakwater/contract/endpoint.ts'
import { messageSettings } from '@breakwater/contract/messages/settings.ts'
import { z } from 'zod'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { Loaded } from '../kit/Loaded.tsx'
import { SettingsSection } from '../kit/SettingsSection.tsx'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { Trial } from '../pickers/settings/Trial.tsx'
import { useCall, useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'

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
    stays: ({ enable }) => ({ enable, token: '' }),
  })
  async function ask() {
    const { token } = form.methods.getValues() as z.output<typeof schema>
    const { bot, isSent } = await test.mutateAsync({ body: token ? { token } : {} })
    return { text: t('tg.success'), words: t(isSent ? 'tg.sent' : 'tg.bot', { bot }) }
  }
  return (
    <SettingsSection
      form={form}
      mayWrite={mayWrite}
      aside={<Trial label={t('tg.test')} check={async () => true} run={ask} />}
    >
      <Field.Switch name="enable" label={t('tg.enable')} />
      <Field.Secret
        name="token"
        label={t('tg.token')}
        help={t(stored.tokenSet ? 'mail.passwordKept' : 'tg.tokenHelp')}
      />
    </SettingsSection>
  )
}
