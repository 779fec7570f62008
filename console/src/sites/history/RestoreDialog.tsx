/** Restores a revision, fully or in parts, after a review of the changes. */
import { Memo } from '@breakwater/contract/fields.ts'
import { history } from '@breakwater/contract/sites/history.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import { Form } from '../../kit/Form.tsx'
import { fieldsOf } from '../../kit/fields/fields-of.ts'
import { ReviewDialog } from '../../kit/ReviewDialog.tsx'
import { useResourceForm } from '../../kit/useResourceForm.ts'
import { useCall, useChange } from '../../platform/calls.ts'
import { usePhrases } from '../../platform/phrases.ts'
import { Changes } from './Changes.tsx'
import { isChosen, RestoreSummary } from './RestoreSummary.tsx'

const schema = z.object({ note: Memo })
const Field = fieldsOf(schema)

type Props = { siteId: number; newest: number; revision: number; onClose: () => void }

export function RestoreDialog({ siteId, newest, revision, onClose }: Props) {
  const t = usePhrases('sites')
  const client = useQueryClient()
  // Parts whose default was toggled: left out, or included although other sites use them.
  const [switched, setSwitched] = useState<ReadonlySet<string>>(new Set())
  // The same query as in the list below, so that it is fetched once.
  const changes = useCall(history.diff, { siteId, query: { from: newest, to: revision } }).data?.changes ?? []
  const done = changes.filter((change) => isChosen(change, switched))
  const removed = done.filter(({ kind }) => kind === 'removed').length
  const restore = useChange(history.restore)
  const form = useResourceForm(schema, {
    values: { note: '' },
    save: ({ note }) => {
      const parts = switched.size > 0 ? { parts: [...new Set(done.map(({ part }) => part))] } : {}
      return restore.mutateAsync({ siteId, body: { revision, note, ...parts } })
    },
    done: t('history.restored'),
    onSaved() {
      // Any setting of the site may have changed.
      void client.invalidateQueries()
      onClose()
    },
  })
  return (
    <ReviewDialog
      isRead
      title={t('history.review', { revision: String(revision) })}
      affected={
        <>
          <p className="font-semibold text-ink">
            {removed > 0 && <span className="mr-3 text-bad">{t('history.removes', { n: removed })}</span>}
            {t('history.affects', { n: done.length })}
          </p>
          <p>{t('history.restores', { revision: String(revision) })}</p>
          <RestoreSummary changes={changes} switched={switched} onSwitch={setSwitched} />
        </>
      }
      choices={[
        {
          label: t(switched.size > 0 ? 'history.restoreSome' : 'history.restore'),
          act: form.submit,
          look: removed > 0 ? 'destroy' : 'solid',
          disabled: done.length === 0,
        },
      ]}
      onClose={onClose}
    >
      <Changes siteId={siteId} from={newest} to={revision} />
      <Form form={form} className="mt-4">
        <Field.Text name="note" label={t('history.note')} />
      </Form>
    </ReviewDialog>
  )
}
