/** Going back to a revision, after looking at what that changes. */
import { Memo } from '@breakwater/contract/fields.ts'
import { history } from '@breakwater/contract/sites/history.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { z } from 'zod'
import { useChange } from '../../app/calls.ts'
import { usePhrases } from '../../app/phrases.ts'
import { Button } from '../../kit/Button.tsx'
import { Dialog } from '../../kit/Dialog.tsx'
import { Form } from '../../kit/Form.tsx'
import { fieldsOf } from '../../kit/fields/fields-of.ts'
import { useResourceForm } from '../../kit/useResourceForm.ts'
import { Changes } from './Changes.tsx'

const schema = z.object({ note: Memo })
const Field = fieldsOf(schema)

type Props = { siteId: number; newest: number; revision: number; onClose: () => void }

export function RestoreDialog({ siteId, newest, revision, onClose }: Props) {
  const t = usePhrases('sites')
  const tKit = usePhrases('kit')
  const formId = useId()
  const client = useQueryClient()
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
    <Dialog
      wide
      title={t('history.review', { revision: String(revision) })}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{tKit('cancel')}</Button>
          <Button look="solid" type="submit" form={formId} busy={form.busy}>
            {t('history.restore')}
          </Button>
        </>
      }
    >
      <p className="mb-3 text-ink-2">{t('history.reviewText')}</p>
      <Changes siteId={siteId} from={newest} to={revision} />
      <Form form={form} id={formId} className="mt-4">
        <Field.Text name="note" label={t('history.note')} />
      </Form>
    </Dialog>
  )
}
