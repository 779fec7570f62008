/** Mails that were sent, are queued or failed, with the mail server's message. */
import {
  messageSettings,
  ownErrors,
  type QueuedEmail,
  queuedEmailStates,
} from '@breakwater/contract/messages/settings.ts'
import { z } from 'zod'
import { Button } from '../kit/Button.tsx'
import { Empty } from '../kit/Empty.tsx'
import { SearchInput } from '../kit/Input.tsx'
import { type Column, ResourceTable } from '../kit/ResourceTable.tsx'
import { Select } from '../kit/Select.tsx'
import { Status, Tag } from '../kit/Status.tsx'
import { send } from '../platform/browser.ts'
import { useCall, useChange } from '../platform/calls.ts'
import { type Format, useFormat } from '../platform/format.ts'
import { type Say, usePhrases } from '../platform/phrases.ts'
import { ListSearch, useSearchState } from '../platform/search-state.ts'
import { toasts } from '../platform/toasts.ts'

const Search = ListSearch.extend({
  recipient: z.string().catch(''),
  state: z.enum(['', ...queuedEmailStates]).catch(''),
})
const tones = { sent: 'ok', waiting: 'info', failed: 'bad' } as const
const everyMs = 10_000

const templates = ['invitation', 'password', 'signInCode', 'test'] as const
function nameOf(template: string, t: Say<'messages'>): string {
  const letter = templates.find((one) => one === template)
  return letter ? t(`template.${letter}`) : t(`event.${template}` as 'event.nodeAway')
}

const ownErrorKeys = Object.keys(ownErrors) as (keyof typeof ownErrors)[]
/** The mail server's message verbatim; our own errors in the reader's language. */
function errorText(error: string, t: Say<'messages'>): string {
  const own = ownErrorKeys.find((key) => ownErrors[key] === error)
  return own ? t(`letters.error.${own}`) : error
}

function columnsOf(t: Say<'messages'>, format: Format): Column<QueuedEmail>[] {
  return [
    {
      key: 'recipient',
      title: t('letters.recipient'),
      render: ({ recipient, error }) => (
        <div className="py-1.5">
          <span className="font-medium">{recipient}</span>
          {error && (
            <span className="block max-w-[60ch] whitespace-normal break-words text-bad">{errorText(error, t)}</span>
          )}
        </div>
      ),
    },
    {
      key: 'what',
      title: t('letters.what'),
      render: ({ template, channel }) => (
        <>
          {nameOf(template, t)} <Tag>{t(`way.${channel}`)}</Tag>
        </>
      ),
    },
    {
      key: 'state',
      title: t('letters.state'),
      render: ({ state, attempts, nextAttemptAt }) => (
        <span className="inline-flex flex-wrap gap-x-2">
          <Status tone={tones[state]} going={state === 'waiting'}>
            {t(`state.${state}`)}
          </Status>
          {state !== 'sent' && attempts > 0 && (
            <span className="text-ink-3">
              {t('letters.attempts', { n: attempts })}
              {nextAttemptAt && ` · ${t('letters.next', { when: format.ago(nextAttemptAt) })}`}
            </span>
          )}
        </span>
      ),
    },
    {
      key: 'createdAt',
      title: t('letters.when'),
      render: ({ createdAt }) => <span className="text-ink-3">{format.ago(createdAt)}</span>,
    },
  ]
}

export function QueuedEmailsPanel({ mayWrite }: { mayWrite: boolean }) {
  const t = usePhrases('messages')
  const format = useFormat()
  const [state, go] = useSearchState(Search)
  const { page, pageSize, recipient, state: wanted } = state
  const query = { page, pageSize, ...(recipient ? { recipient } : {}), ...(wanted ? { state: wanted } : {}) }
  const call = useCall(messageSettings.letters, { query }, { everyMs })
  const resend = useChange(messageSettings.resend, messageSettings.letters)
  return (
    <section>
      <h2 className="mt-3 font-semibold text-sm">{t('letters.title')}</h2>
      <p className="mb-3 text-ink-2">{t('letters.help')}</p>
      <div className="mb-2.5 flex flex-wrap gap-2">
        <SearchInput
          label={t('letters.search')}
          value={recipient}
          onChange={(text) => go({ recipient: text, page: 1 }, { replace: true })}
        />
        <Select
          label={t('letters.state')}
          value={wanted}
          onChange={(next) => go({ state: next, page: 1 })}
          options={[
            { value: '', label: t('letters.any') },
            ...queuedEmailStates.map((value) => ({ value, label: t(`state.${value}`) })),
          ]}
        />
      </div>
      <ResourceTable
        label={t('letters.title')}
        call={call}
        columns={columnsOf(t, format)}
        rowKey={({ id }) => id}
        rowLabel={(row) => row.recipient}
        state={state}
        go={go}
        readPage={(at, size) => send(messageSettings.letters, { query: { ...query, page: at, pageSize: size } })}
        bulk={
          mayWrite
            ? (rows, clear, run) => (
                <Button
                  size="sm"
                  busy={resend.isPending}
                  onClick={() =>
                    run(rows, (batch) => resend.mutateAsync({ body: { ids: batch.map(({ id }) => id) } })).then(
                      (all) => {
                        if (all) toasts.done(t('saved'))
                        clear()
                      },
                    )
                  }
                >
                  {t('letters.resend')}
                </Button>
              )
            : undefined
        }
        clearFilters={recipient || wanted ? () => go({ recipient: '', state: '', page: 1 }) : undefined}
        empty={<Empty title={t('letters.empty')} />}
      />
    </section>
  )
}
