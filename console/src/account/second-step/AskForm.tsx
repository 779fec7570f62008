/** One step of a short dialog: a field for a secret or a code, and the button to continue. */
import type { ReactNode } from 'react'
import { z } from 'zod'
import { Button } from '../../kit/Button.tsx'
import { Form } from '../../kit/Form.tsx'
import { OtpField } from '../../kit/fields/OtpField.tsx'
import { SecretField, TextField } from '../../kit/fields/TextField.tsx'
import { useResourceForm } from '../../kit/useResourceForm.ts'

type Props = {
  /** The server's name for the field, so that its validation errors appear there. */
  name: 'password' | 'code' | 'name'
  label: string
  help?: ReactNode
  submit: string
  save: (value: string) => Promise<void>
}

const rule = z.string().trim().min(1, 'required').max(256, 'charactersExceedLimit')
const schemas = {
  password: z.object({ password: rule }),
  code: z.object({ code: rule }),
  name: z.object({ name: rule }),
}

export function AskForm({ name, label, help, submit, save }: Props) {
  const form = useResourceForm(schemas[name] as z.ZodType<Record<string, string>, Record<string, string>>, {
    values: { [name]: '' },
    save: (body) => save(body[name] ?? ''),
  })
  return (
    <Form form={form}>
      {name === 'password' ? (
        <SecretField name={name} label={label} help={help} autoComplete="current-password" autoFocus />
      ) : name === 'code' ? (
        <OtpField name={name} label={label} help={help} autoFocus />
      ) : (
        <TextField name={name} label={label} help={help} autoFocus />
      )}
      <Button look="solid" type="submit" busy={form.busy}>
        {submit}
      </Button>
    </Form>
  )
}
