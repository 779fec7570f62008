import { useState } from 'react'
import { z } from 'zod'
import { NumberField } from '../../kit/fields/NumberField.tsx'
import { TextField } from '../../kit/fields/TextField.tsx'
import { RuleEditor } from '../../kit/RuleEditor.tsx'
import { useResourceForm } from '../../kit/useResourceForm.ts'
import type { Stories } from '../story.ts'

const schema = z.object({
  path: z.string().min(1, 'required'),
  host: z.string(),
  rate: z.number(),
  mode: z.enum(['enforce', 'observe']),
  memo: z.string(),
  enabled: z.boolean(),
  expiresAt: z.string().nullable(),
})

function Editor() {
  const [state, setState] = useState('open')
  const form = useResourceForm(schema, {
    values: { path: '^/login', host: '', rate: 10, mode: 'observe', memo: '', enabled: true, expiresAt: null },
    save: async ({ mode, host }) => setState(`saved ${mode} ${host}`),
  })
  return (
    <div data-state={state}>
      {!state.startsWith('open') || (
        <RuleEditor
          form={form}
          stored={{ mode: 'observe' }}
          conditions={[
            { name: 'path', label: 'Path', control: <TextField name="path" label="Path" mono /> },
            { name: 'host', label: 'Host', control: <TextField name="host" label="Host" mono />, any: '' },
          ]}
          action={<NumberField name="rate" label="Rate" />}
          review={() => 'mode Observe → Enforce'}
          onClose={() => setState('closed')}
        />
      )}
    </div>
  )
}

export const stories: Stories = { drawer: { alone: true, show: () => <Editor /> } }
