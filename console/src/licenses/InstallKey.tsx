/** A field to paste a licence key: installs it, or replaces the installed one. */
import { installedLicense } from '@breakwater/contract/licenses/installed.ts'
import { z } from 'zod'
import { Button } from '../kit/Button.tsx'
import { Form } from '../kit/Form.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { useResourceForm } from '../kit/useResourceForm.ts'
import { useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'

const schema = z.object({ key: z.string().trim().min(1, 'required').max(8192, 'charactersExceedLimit') })
const Field = fieldsOf(schema)

export function InstallKey({ replaces }: { replaces: boolean }) {
  const t = usePhrases('licenses')
  const install = useChange(installedLicense.sync, installedLicense.get)
  const replace = useChange(installedLicense.updateKey, installedLicense.get)
  const form = useResourceForm(schema, {
    values: { key: '' },
    save: async (body) => {
      if (replaces) await replace.mutateAsync({ query: {}, body })
      else await install.mutateAsync({ query: {}, body })
    },
    done: t('installed.done'),
  })
  return (
    <Form form={form}>
      <Field.Memo name="key" label={t('installed.key')} help={t('installed.keyHelp')} max={8192} />
      <Button look="solid" type="submit" busy={form.busy}>
        {t(replaces ? 'installed.replace' : 'installed.install')}
      </Button>
    </Form>
  )
}
