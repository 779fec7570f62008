/**
 * Asks for the reason to act for another account, and starts doing so. Both sides see the reason in their audit logs.
 */
import type { Tier } from '@breakwater/contract/endpoint.ts'
import { Name } from '@breakwater/contract/fields.ts'
import { z } from 'zod'
import { Button } from '../kit/Button.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { Form } from '../kit/Form.tsx'
import { TextField } from '../kit/fields/TextField.tsx'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { actFor } from '../platform/acting.ts'
import { usePhrases } from '../platform/phrases.ts'

const schema = z.object({ reason: Name })

type Props = { target: { id: number; auth: Tier; account: string }; onClose: () => void }

export function ActForDialog({ target, onClose }: Props) {
  const t = usePhrases('people')
  const form = useResourceForm(schema, {
    values: { reason: '' },
    save: ({ reason }) => actFor(target, reason),
  })
  return (
    <Dialog title={t('acting.title', { name: target.account })} onClose={onClose}>
      <p className="mb-4 text-ink-2">{t('acting.help')}</p>
      <Form form={form}>
        <TextField name="reason" label={t('acting.reason')} help={t('acting.reasonHelp')} autoFocus />
        <Button look="solid" type="submit" busy={form.busy}>
          {t('acting.begin')}
        </Button>
      </Form>
    </Dialog>
  )
}
