/** Creates a token that lets one machine join, with the command to run there. */

import type { Reply } from '@breakwater/contract/endpoint.ts'
import { Name } from '@breakwater/contract/fields.ts'
import { nodes } from '@breakwater/contract/nodes/nodes.ts'
import { useId, useState } from 'react'
import { z } from 'zod'
import { Button } from '../kit/Button.tsx'
import { CopyText } from '../kit/CopyText.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { Form } from '../kit/Form.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { useChange } from '../platform/calls.ts'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'

const schema = z.object({ name: Name })
const Field = fieldsOf(schema)

type Props = { zone: { id: number; name: string }; onClose: () => void }

export function EnrolDialog({ zone, onClose }: Props) {
  const t = usePhrases('nodes')
  const tKit = usePhrases('kit')
  const format = useFormat()
  const formId = useId()
  const create = useChange(nodes.createToken, nodes.uninitialized)
  const [token, setToken] = useState<Reply<typeof nodes.createToken>>()
  const form = useResourceForm(schema, {
    values: { name: 'node' },
    save: (body) => create.mutateAsync({ zoneId: zone.id, body }),
    onSaved: setToken,
  })
  return (
    <Dialog
      wide={token !== undefined}
      title={t('enrol.title', { zone: zone.name })}
      onClose={onClose}
      footer={
        token ? (
          <Button onClick={onClose}>{tKit('close')}</Button>
        ) : (
          <>
            <Button onClick={onClose}>{tKit('cancel')}</Button>
            <Button look="solid" type="submit" form={formId} busy={form.busy}>
              {t('enrol.make')}
            </Button>
          </>
        )
      }
    >
      {token ? (
        <>
          <p className="mb-2 text-ink-2">{t('enrol.text', { time: format.clock(token.expiresAt) })}</p>
          <CopyText text={token.command} block />
          <p className="mt-2 text-ink-3">{t('enrol.once')}</p>
        </>
      ) : (
        <Form form={form} id={formId}>
          <Field.Text name="name" label={t('enrol.name')} autoFocus />
        </Form>
      )}
    </Dialog>
  )
}
