import { z } from 'zod'
import { BulkForm } from '../../kit/BulkForm.tsx'
import { TextField } from '../../kit/fields/TextField.tsx'
import type { Stories } from '../story.ts'

const schema = z.object({ tag: z.string().min(1, 'required') })
const nothing = () => undefined

export const stories: Stories = {
  tag: () => (
    <BulkForm
      label="Set tag"
      title="Set the tag of 3 domains"
      schema={schema}
      values={{ tag: '' }}
      act={() => Promise.resolve()}
      done="Saved"
      clear={nothing}
    >
      <TextField name="tag" label="Tag" />
    </BulkForm>
  ),
}
