import { useState } from 'react'
import { z } from 'zod'
import { Button } from '../../kit/Button.tsx'
import { Form } from '../../kit/Form.tsx'
import { FormDrawer } from '../../kit/FormDrawer.tsx'
import { TextField } from '../../kit/fields/TextField.tsx'
import { useResourceForm } from '../../kit/useResourceForm.ts'
import { Fault } from '../../platform/fault.ts'
import type { Stories } from '../story.ts'

const schema = z.object({ name: z.string().min(1, 'required'), note: z.string() })
/** An error as the server would report it. */
const taken = { code: 101003, status: 400, extra: [{ field: 'name', reason: 'duplicatedData' }] }

function useSiteForm(onSaved: () => void) {
  return useResourceForm(schema, {
    values: { name: '', note: '' },
    onSaved,
    async save({ name }) {
      if (name === 'taken') throw new Fault(taken)
    },
  })
}

function Fields() {
  return (
    <>
      <TextField name="name" label="Name" />
      <TextField name="note" label="Note" />
    </>
  )
}

function InPage() {
  const [saved, setSaved] = useState(0)
  const form = useSiteForm(() => setSaved(saved + 1))
  return (
    <div data-saved={saved} className="max-w-[400px]">
      <Form form={form}>
        <Fields />
        <Button type="submit" look="solid" busy={form.busy}>
          Save
        </Button>
      </Form>
    </div>
  )
}

function InDrawer() {
  const [state, setState] = useState('open')
  const form = useSiteForm(() => setState('saved'))
  return (
    <div data-state={state}>
      {state === 'open' && (
        <FormDrawer title="Edit site" form={form} onClose={() => setState('closed')}>
          <Fields />
        </FormDrawer>
      )}
    </div>
  )
}

export const stories: Stories = { page: () => <InPage />, drawer: { alone: true, show: () => <InDrawer /> } }
