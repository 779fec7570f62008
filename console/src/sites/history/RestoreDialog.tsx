/** Going back to a revision, after looking at what that changes. */
import { Memo } from '@breakwater/contract/fields.ts'
import { history } from '@breakwater/contract/sites/history.ts'
import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { useCall, useChange } from '../../app/calls.ts'
import { usePhrases } from '../../app/phrases.ts'
import { Form } from '../../kit/Form.tsx'
import { fieldsOf } from '../../kit/fields/fields-of.ts'
import { ReviewDialog } from '../../kit/ReviewDialog.tsx'
import { useResourceForm } from '../../kit/useResourceForm.ts'
import { Changes } from './Changes.tsx'

const schema = z.object({ note: Memo })
const Field = fieldsOf(schema)

type Props = { siteId: number; newest: number; revision: number; onClose: () => void }

export function RestoreDialog({ siteId, newest, revision, onClose }: Props) {
  const t = usePhrases('sites')
  const client = useQueryClient()
  // The same question as that of the list below, so that it is asked once.
  const changes = useCall(history.diff, { siteId, query: { from: newest, to: revision } }).data?.changes
  const restore = useChange(history.restore)
  const form = useResourceForm(schema, {
    values: { note: '' },
    save: ({ note }) => restore.mutateAsync({ siteId, body: { revision, note } }),
    done: t('history.restored'),
    onSaved() {
      // Any setting of the site may be another one now.
      void client.invalidateQueries()
      onClose()
    },
  })
  return (
    <ReviewDialog
      title={t('history.review', { revision: String(revision) })}
      affected={
        <>
          <p>{t('history.reviewText')}</p>
          {changes && <p>{t('history.affects', { n: changes.length })}</p>}
        </>
      }
      choices={[{ label: t('history.restore'), act: form.submit }]}
      onClose={onClose}
    >
      <Changes siteId={siteId} from={newest} to={revision} />
      <Form form={form} className="mt-4">
        <Field.Text name="note" label={t('history.note')} />
      </Form>
    </ReviewDialog>
  )
}
