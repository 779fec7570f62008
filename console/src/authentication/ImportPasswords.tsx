/** Imports a file of names and password hashes into a group. */
import { type AuthGroupRow, authGroups, basicAuths } from '@breakwater/contract/authentication/auth-groups.ts'
import { PasswordFile, passwordFile, passwordLinesMax } from '@breakwater/contract/authentication/password-file.ts'
import { useState } from 'react'
import { Button } from '../kit/Button.tsx'
import { Form } from '../kit/Form.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { toasts } from '../platform/toasts.ts'

const Field = fieldsOf(PasswordFile)

type Of = { siteId: number; group: AuthGroupRow }

export function ImportPasswords(props: Of) {
  const t = usePhrases('authentication')
  const [isOpen, setOpen] = useState(false)
  if (isOpen) return <ImportForm {...props} onClose={() => setOpen(false)} />
  return (
    <p className="mt-2">
      <Button look="ghost" onClick={() => setOpen(true)}>
        {t('import.open')}
      </Button>
    </p>
  )
}

function ImportForm({ siteId, group, onClose }: Of & { onClose: () => void }) {
  const t = usePhrases('authentication')
  const take = useChange(passwordFile.import, basicAuths.calls.list, authGroups.list)
  const form = useResourceForm(PasswordFile, {
    values: { lines: [] },
    save: (body) => take.mutateAsync({ siteId, groupId: group.id, body }),
    onSaved: (told) => {
      toasts.done(t('import.done', told))
      onClose()
    },
  })
  return (
    <Form form={form}>
      <Field.Lines
        name="lines"
        label={t('import.text')}
        help={t('import.help')}
        max={passwordLinesMax}
        placeholder="alice:$2y$10$…"
      />
      <div className="flex gap-2 pb-2">
        <Button type="submit" look="solid" busy={form.busy}>
          {t('import.take')}
        </Button>
        <Button onClick={onClose}>{t('entry.cancel')}</Button>
      </div>
    </Form>
  )
}
