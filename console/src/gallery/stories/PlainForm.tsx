import { z } from 'zod'
import { Button } from '../../kit/Button.tsx'
import { SecretField, TextField } from '../../kit/fields/TextField.tsx'
import { PlainForm } from '../../kit/PlainForm.tsx'
import { usePlainForm } from '../../kit/usePlainForm.ts'
import type { Stories } from '../story.ts'

const schema = z.object({ account: z.string().min(1, 'required'), password: z.string().min(1, 'required') })

function SignIn() {
  const form = usePlainForm(schema, { values: { account: '', password: '' }, save: () => Promise.resolve() })
  return (
    <div className="max-w-[360px]">
      <PlainForm form={form}>
        <TextField name="account" label="Account" autoComplete="username" />
        <SecretField name="password" label="Password" autoComplete="current-password" />
        <Button look="solid" type="submit" busy={form.busy} className="w-full">
          Sign in
        </Button>
      </PlainForm>
    </div>
  )
}

export const stories: Stories = { signIn: () => <SignIn /> }
