/** Preheats the nodes of a site: URLs, or what a sitemap lists. */
import {
  Preheat,
  PreheatSitemap,
  preheat,
  preheatSitemap,
  preheatUrlsMax,
} from '@breakwater/contract/delivery/preheat.ts'
import { useWatch } from 'react-hook-form'
import { z } from 'zod'
import { FormDrawer } from '../kit/FormDrawer.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { toasts } from '../platform/toasts.ts'

const sources = ['urls', 'sitemap'] as const
const fields = z.strictObject({ source: z.enum(sources), urls: z.array(z.string()), url: z.string() })
const schema = fields.superRefine(({ source, urls, url }, context) => {
  const { error } = source === 'urls' ? Preheat.safeParse({ urls }) : PreheatSitemap.safeParse({ url })
  for (const { path, message } of error?.issues ?? []) context.addIssue({ code: 'custom', path, message })
})
const Field = fieldsOf(fields)

type Props = { siteId: number; onClose: () => void; onStarted: (taskId: number) => void }

export function PreheatDrawer({ siteId, onClose, onStarted }: Props) {
  const t = usePhrases('delivery')
  const create = useChange(preheat.create)
  const fromSitemap = useChange(preheatSitemap.create)
  const form = useResourceForm(schema, {
    values: { source: 'urls', urls: [], url: '' },
    async save({ source, urls, url }) {
      if (source === 'urls') return { ...(await create.mutateAsync({ siteId, body: { urls } })), notes: [] }
      const { taskID, skipped, isWhole } = await fromSitemap.mutateAsync({ siteId, body: { url } })
      const notes = [
        ...(skipped > 0 ? [t('preheat.skipped', { n: skipped })] : []),
        ...(isWhole ? [] : [t('preheat.notWhole')]),
      ]
      return { taskID, notes }
    },
    onSaved({ taskID, notes }) {
      toasts.done(t('preheat.done'), notes.join(' '))
      onStarted(taskID)
      onClose()
    },
  })
  return (
    <FormDrawer form={form} title={t('preheat')} onClose={onClose} saveLabel={t('preheat')}>
      <p className="mb-4 text-ink-2">{t('preheat.text')}</p>
      <Field.Select
        name="source"
        label={t('preheat.source')}
        options={sources.map((value) => ({ value, label: t(`preheat.source.${value}`) }))}
      />
      <What />
    </FormDrawer>
  )
}

function What() {
  const t = usePhrases('delivery')
  if (useWatch({ name: 'source' }) === 'sitemap')
    return (
      <Field.Text
        name="url"
        label={t('preheat.sitemap')}
        help={t('preheat.sitemap.help')}
        placeholder="https://www.example.com/sitemap.xml"
      />
    )
  return <Field.Lines name="urls" label={t('purge.urls')} help={t('purge.urls.help')} max={preheatUrlsMax} />
}
