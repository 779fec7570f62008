/** Purge by URL, prefix or tag, or everything, with a warning of what that costs. */
import { cache, Purge } from '@breakwater/contract/delivery/cache-rules.ts'
import { useWatch } from 'react-hook-form'
import { FormDrawer } from '../kit/FormDrawer.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'

const schema = Purge.superRefine(({ type, urls }, context) => {
  if (type !== 'all' && urls.every((url) => url.trim() === ''))
    context.addIssue({ code: 'custom', message: 'required', path: ['urls'] })
})
const Field = fieldsOf(Purge)
const urlsMax = 1000

type Props = { siteId: number; onClose: () => void; onStarted: (taskId: number) => void }

export function PurgeDrawer({ siteId, onClose, onStarted }: Props) {
  const t = usePhrases('delivery')
  const clear = useChange(cache.clear)
  const form = useResourceForm(schema, {
    values: { type: 'url', urls: [] },
    save: ({ type, urls }) =>
      clear.mutateAsync({
        siteId,
        body: { type, urls: type === 'all' ? [] : urls.filter((url) => url.trim() !== '') },
      }),
    done: t('purge.done'),
    onSaved({ taskID }) {
      onStarted(taskID)
      onClose()
    },
  })
  const types = (['url', 'prefix', 'tag', 'all'] as const).map((value) => ({ value, label: t(`purge.type.${value}`) }))
  return (
    <FormDrawer form={form} title={t('purge.title')} onClose={onClose} saveLabel={t('purge')}>
      <p className="mb-4 text-ink-2">{t('purge.text')}</p>
      <Field.Select name="type" label={t('purge.type')} options={types} />
      <What />
    </FormDrawer>
  )
}

function What() {
  const t = usePhrases('delivery')
  const type = useWatch({ name: 'type' }) as Purge['type']
  if (type === 'all') return <p className="rounded-control bg-warn-bg px-3 py-2 text-warn">{t('purge.allText')}</p>
  const isTag = type === 'tag'
  return (
    <Field.Lines
      name="urls"
      label={t(isTag ? 'purge.tags' : 'purge.urls')}
      help={t(isTag ? 'purge.tags.help' : 'purge.urls.help')}
      max={urlsMax}
    />
  )
}
