import { z } from 'zod'
import { Button } from '../../kit/Button.tsx'
import { Form } from '../../kit/Form.tsx'
import { SwitchField } from '../../kit/fields/choices.tsx'
import { NumberField } from '../../kit/fields/NumberField.tsx'
import { TextField } from '../../kit/fields/TextField.tsx'
import { Panel } from '../../kit/Panel.tsx'
import { SaveBar, Setting, SettingsRows, SettingsSection } from '../../kit/SettingsSection.tsx'
import { Status } from '../../kit/Status.tsx'
import { useResourceForm } from '../../kit/useResourceForm.ts'
import type { Stories } from '../story.ts'

const schema = z.object({ enable: z.boolean(), host: z.string().min(1, 'required'), port: z.number() })
const useMailForm = () =>
  useResourceForm(schema, {
    values: { enable: true, host: 'smtp.harbour.example', port: 587 },
    save: async () => undefined,
    stays: (saved) => saved,
  })

function Section() {
  return (
    <Panel title="Mail">
      <SettingsSection form={useMailForm()} mayWrite aside={<Button>Try it</Button>}>
        <SwitchField name="enable" label="Send mail" />
        <TextField name="host" label="Server" help="The one that takes letters." mono />
        <NumberField name="port" label="Port" />
        <Setting label="State">
          <Status tone="ok">Tested</Status>
        </Setting>
      </SettingsSection>
    </Panel>
  )
}

function Bare() {
  const form = useMailForm()
  return (
    <Form form={form}>
      <SettingsRows>
        <TextField name="host" label="Other server" />
      </SettingsRows>
      <SaveBar form={form} />
    </Form>
  )
}

export const stories: Stories = { section: () => <Section />, parts: () => <Bare /> }
