/** Acting for another: with a reason that both sides read afterwards, for half an hour. */
import type { Account } from '@breakwater/contract/account/accounts.ts'
import { sessionCalls } from '@breakwater/contract/auth/sessions.ts'
import { Memo } from '@breakwater/contract/fields.ts'
import { z } from 'zod'
import { useChange } from '../app/calls.ts'
import { usePhrases } from '../app/phrases.ts'
import { placesOf } from '../app/places.ts'
import { startSession } from '../app/session.ts'
import { cookieTokens } from '../app/tokens.ts'
import { Button } from '../kit/Button.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { Form } from '../kit/Form.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { useResourceForm } from '../kit/useResourceForm.ts'

const Schema = z.object({ reason: Memo.min(1, 'required') })
const Field = fieldsOf(Schema)

type Props = { account: Account; onClose: () => void }

export function ActFor({ account, onClose }: Props) {
  const t = usePhrases('people')
  const tKit = usePhrases('kit')
  const acting = useChange(sessionCalls.proxy)
  const form = useResourceForm(Schema, {
    values: { reason: '' },
    save: ({ reason }) => acting.mutateAsync({ body: { id: account.id, auth: account.auth, reason } }),
    async onSaved(tokens) {
      const { auth } = account
      if (location.pathname.startsWith(`/${auth}/`)) {
        // The same console has one session in a browser: it becomes the other's, from its first page on.
        location.assign((await startSession(auth, tokens)) ?? placesOf(auth).door)
        return
      }
      cookieTokens.write(auth, tokens)
      window.open(placesOf(auth).home, '_blank', 'noopener')
      onClose()
    },
  })
  return (
    <Dialog
      title={t('act.title', { name: account.name || account.account })}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{tKit('cancel')}</Button>
          <Button look="solid" busy={form.busy} onClick={() => form.submit()}>
            {t('act.go')}
          </Button>
        </>
      }
    >
      <p className="mb-3 text-ink-2">{t('act.text')}</p>
      <Form form={form}>
        <Field.Memo name="reason" label={t('act.reason')} />
      </Form>
    </Dialog>
  )
}
