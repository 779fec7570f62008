/** The headers of one module. */
import { CustomHeader, customHeaders } from '@breakwater/contract/modules/custom-headers.ts'
import { Trash2 } from 'lucide-react'
import { type BaseSyntheticEvent, useState } from 'react'
import type { z } from 'zod'
import { useCall, useChange } from '../app/calls.ts'
import { usePhrases } from '../app/phrases.ts'
import { useMay } from '../app/session.ts'
import { Button, IconButton } from '../kit/Button.tsx'
import { Drawer } from '../kit/Dialog.tsx'
import { Form } from '../kit/Form.tsx'
import { Failed, showFault } from '../kit/faults.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { ReviewDialog, ReviewList } from '../kit/ReviewDialog.tsx'
import { Badge, Tag } from '../kit/Status.tsx'
import { toasts } from '../kit/toasts.ts'
import { useResourceForm } from '../kit/useResourceForm.ts'

type Header = { key: string; value: string }
type Asked = { does: 'adds' | 'removes'; header: Header; act: () => Promise<unknown> }
type Props = { siteId: number; module: { id: number; name: string; domainCount: number }; onClose: () => void }

const headersMax = 500

export function HeadersDrawer({ siteId, module, onClose }: Props) {
  const t = usePhrases('modules')
  const mayWrite = useMay()('modules.write')
  const of = { siteId, moduleId: module.id }
  const call = useCall(customHeaders.headers, { ...of, query: { page: 1, pageSize: headersMax } })
  const remove = useChange(customHeaders.removeHeaders, customHeaders.headers, customHeaders.list)
  const [asked, setAsked] = useState<Asked>()
  const removeOne = async (id: number) => {
    await remove.mutateAsync({ ...of, body: { ids: [id] } })
    toasts.done(t('removed'))
  }
  /** What several domains share is looked at before it is changed. */
  const ask = (next: Asked) =>
    module.domainCount > 1
      ? Promise.resolve(setAsked(next))
      : next
          .act()
          .catch(showFault)
          .then(() => undefined)
  return (
    <Drawer title={t('header.title', { name: module.name })} onClose={onClose}>
      {call.isError && <Failed fault={call.error} retry={() => call.refetch()} />}
      {call.data?.data.length === 0 && <p className="mb-4 text-ink-3">{t('header.empty')}</p>}
      {call.data && call.data.data.length > 0 && (
        <ul className="mb-4 divide-y divide-line rounded-panel border border-line">
          {call.data.data.map(({ id, type, key, value }) => (
            <li key={id} className="flex items-center gap-3 py-1.5 pr-1.5 pl-3">
              <Tag>{t(`header.type.${type}`)}</Tag>
              <code className="mono min-w-0 flex-1 break-all">
                {key}: {value || <span className="text-bad">{t('header.removes')}</span>}
              </code>
              {mayWrite && (
                <IconButton
                  size="iconSm"
                  label={t('header.remove', { key })}
                  disabled={remove.isPending}
                  onClick={() => ask({ does: 'removes', header: { key, value }, act: () => removeOne(id) })}
                >
                  <Trash2 size={14} aria-hidden />
                </IconButton>
              )}
            </li>
          ))}
        </ul>
      )}
      {mayWrite && <AddHeader key={call.data?.total} of={of} ask={ask} />}
      {asked && (
        <ReviewDialog
          title={t('review.title')}
          affected={t('review.affected', { n: module.domainCount })}
          choices={[{ label: t('review.apply'), act: () => asked.act().then(() => setAsked(undefined)) }]}
          onClose={() => setAsked(undefined)}
        >
          <ReviewList
            items={[
              {
                key: asked.header.key,
                text: (
                  <>
                    <Badge tone={asked.does === 'adds' ? 'ok' : 'bad'}>{t(`review.${asked.does}`)}</Badge>{' '}
                    <code className="mono break-all">
                      {asked.header.key}: {asked.header.value}
                    </code>
                  </>
                ),
              },
            ]}
          />
        </ReviewDialog>
      )}
    </Drawer>
  )
}

const Field = fieldsOf(
  CustomHeader as unknown as z.ZodObject<{ type: z.ZodString; key: z.ZodString; value: z.ZodString }>,
)

function AddHeader({ of, ask }: { of: { siteId: number; moduleId: number }; ask: (asked: Asked) => Promise<void> }) {
  const t = usePhrases('modules')
  const add = useChange(customHeaders.addHeaders, customHeaders.headers, customHeaders.list)
  const form = useResourceForm(CustomHeader, {
    values: { type: 'response', key: '', value: '', enabled: true },
    save: (item) => add.mutateAsync({ ...of, body: { items: [item] } }),
    done: t('added'),
    fieldOf: (field) => field.replace('items.0.', ''),
  })
  async function submit(event?: BaseSyntheticEvent) {
    event?.preventDefault()
    if (!(await form.methods.trigger())) return
    await ask({ does: 'adds', header: form.methods.getValues() as Header, act: () => form.submit() })
  }
  const types = (['response', 'request'] as const).map((value) => ({ value, label: t(`header.type.${value}`) }))
  return (
    <Form form={{ ...form, submit }}>
      <Field.Select name="type" label={t('header.type')} options={types} />
      <div className="grid gap-x-4 sm:grid-cols-2">
        <Field.Text name="key" label={t('header.key')} placeholder="Strict-Transport-Security" mono />
        <Field.Text name="value" label={t('header.value')} help={t('header.value.help')} mono />
      </div>
      <Button type="submit" busy={form.busy}>
        {t('header.add')}
      </Button>
    </Form>
  )
}
