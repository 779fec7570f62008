/** Which events a person is notified of, and over which channels (screen `notifySetting`). */
import type { Reply, Tier } from '@breakwater/contract/endpoint.ts'
import {
  type NotifyEvent,
  NotifySettings,
  notifyEventNames,
  notifyEvents,
  operatorNotify,
  userNotify,
} from '@breakwater/contract/messages/notify.ts'
import { channels } from '@breakwater/contract/messages/settings.ts'
import { useController } from 'react-hook-form'
import { z } from 'zod'
import { Form } from '../kit/Form.tsx'
import { Failed } from '../kit/faults.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { PageHead } from '../kit/PageHead.tsx'
import { Panel } from '../kit/Panel.tsx'
import { SaveBar, Setting, SettingsRows } from '../kit/SettingsSection.tsx'
import { Checkbox } from '../kit/Toggle.tsx'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { Trial } from '../pickers/settings/Trial.tsx'
import { useCall, useChange } from '../platform/calls.ts'
import { type Locale, locales, useLocale } from '../platform/locale.ts'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'

type Channel = (typeof channels)[number]
type Stored = Reply<typeof userNotify.get>
const callsOf = (tier: Tier) => (tier === 'client' ? operatorNotify : userNotify) as typeof userNotify
const schema = NotifySettings.extend({ webhookSecret: z.string() })
const Field = fieldsOf(schema)

export function NotifySettingScreen() {
  const t = usePhrases('messages')
  const { tier } = usePlaces()
  const call = useCall(callsOf(tier).get, {})
  return (
    <div className="max-w-[880px]">
      <PageHead title={t('notify.title')} help={t('notify.help')} />
      <div className="grid gap-3">
        {call.data ? (
          <NotifyForm stored={call.data} tier={tier} />
        ) : call.isError ? (
          <Failed fault={call.error} retry={() => call.refetch()} />
        ) : (
          <div className="skeleton h-60" />
        )}
      </div>
    </div>
  )
}

function NotifyForm({ stored, tier }: { stored: Stored; tier: Tier }) {
  const t = usePhrases('messages')
  const calls = callsOf(tier)
  const update = useChange(calls.update, calls.get)
  const test = useChange(calls.test)
  const { locale } = useLocale()
  const isNew = Object.keys(stored.events).length === 0 && !stored.tg && !stored.webhook
  const form = useResourceForm(schema, {
    values: {
      ...{ locale: isNew ? locale : stored.locale, tg: stored.tg, webhook: stored.webhook, webhookSecret: '' },
      events: ordered(stored.events),
    },
    save: ({ webhookSecret, ...body }) =>
      update.mutateAsync({ body: { ...body, ...(webhookSecret ? { webhookSecret } : {}) } }),
    done: t('saved'),
    stays: (saved) => ({ ...saved, webhookSecret: '' }),
  })
  const mayTry = async () => !form.methods.formState.isDirty
  const send = (channel: Channel) => async () => {
    await test.mutateAsync({ body: { channel } })
    return t('notify.tested')
  }
  const has = (channel: Channel) => stored.available.includes(channel)
  const [chat, webhook] = form.methods.watch(['tg', 'webhook']) as [string, string]
  /** Whether a notification on this channel would arrive: the operator set it up, and the person has an address. */
  const isReady = (channel: Channel) =>
    ({ email: has('email') && stored.email !== '', tg: has('tg') && chat !== '', webhook: webhook !== '' })[channel]
  const notSetUp = t(tier === 'client' ? 'notify.notSetUpByUs' : 'notify.notSetUp')
  const reason: Record<Channel, string> = {
    email: has('email')
      ? stored.email
        ? t('notify.emailTo', { address: stored.email })
        : t('notify.noEmail')
      : notSetUp,
    tg: has('tg') ? t('notify.chatHelp') : notSetUp,
    webhook: t('notify.webhookHelp'),
  }
  return (
    <Form form={form} className="grid gap-3">
      <Panel title={t('notify.events')}>
        <Events tier={tier} isReady={isReady} />
      </Panel>
      <Panel title={t('notify.ways')}>
        <SettingsRows>
          <Field.Select
            name="locale"
            label={t('notify.locale')}
            options={(Object.keys(locales) as Locale[]).map((value) => ({ value, label: locales[value] }))}
          />
          <Setting label={t('notify.email')} help={reason.email}>
            {has('email') && stored.email && <Trial label={t('notify.test')} check={mayTry} run={send('email')} />}
          </Setting>
          <Field.Text name="tg" label={t('notify.chat')} help={reason.tg} mono />
          {has('tg') && stored.tg && (
            <Setting label="">
              <Trial label={t('notify.test')} check={mayTry} run={send('tg')} />
            </Setting>
          )}
          <Field.Text name="webhook" label={t('notify.webhook')} help={reason.webhook} mono inputMode="url" />
          <Field.Secret
            name="webhookSecret"
            label={t('notify.secret')}
            help={t(stored.webhookSecretSet ? 'mail.passwordKept' : 'notify.secretHelp')}
          />
          {stored.webhook && (
            <Setting label="">
              <Trial label={t('notify.test')} check={mayTry} run={send('webhook')} />
            </Setting>
          )}
        </SettingsRows>
      </Panel>
      <SaveBar form={form} />
    </Form>
  )
}

/** Every event with its channels in a fixed order, so that switching one on and off again is not a change. */
const ordered = (events: Stored['events']): Stored['events'] =>
  Object.fromEntries(
    notifyEventNames.map((name) => [name, channels.filter((channel) => events[name]?.includes(channel))]),
  )

/** Events as rows, channels as columns: a form field like the others. */
function Events({ tier, isReady }: { tier: Tier; isReady: (channel: Channel) => boolean }) {
  const t = usePhrases('messages')
  const { field } = useController({ name: 'events' })
  const events = field.value as Stored['events']
  const names = notifyEventNames.filter((name) => (notifyEvents[name] as readonly Tier[]).includes(tier))
  function flip(event: NotifyEvent, channel: Channel, on: boolean) {
    const others = (events[event] ?? []).filter((one) => one !== channel)
    field.onChange(ordered({ ...events, [event]: on ? [...others, channel] : others }))
  }
  return (
    <table className="w-full text-left">
      <thead>
        <tr className="h-8 text-ink-3 text-xs">
          <th scope="col" className="font-medium">
            <span className="sr-only">{t('notify.events')}</span>
          </th>
          {channels.map((channel) => (
            <th key={channel} scope="col" className="px-2 text-center font-medium whitespace-nowrap sm:w-32">
              {t(`way.${channel}`)}
              {!isReady(channel) && <span className="block font-normal">{t('notify.notReady')}</span>}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {names.map((event) => (
          <tr key={event} className="h-9 border-line border-t">
            <th scope="row" className="py-1.5 font-normal">
              {t(`event.${event}`)}
            </th>
            {channels.map((channel) => (
              <td key={channel} className="px-2">
                <span className="grid place-items-center">
                  <Checkbox
                    aria-label={`${t(`event.${event}`)}: ${t(`way.${channel}`)}`}
                    checked={(events[event] ?? []).includes(channel)}
                    // A channel that was already selected can still be deselected.
                    disabled={!isReady(channel) && !(events[event] ?? []).includes(channel)}
                    onCheckedChange={(on) => flip(event, channel, on)}
                  />
                </span>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
