/** The two forms of a module that holds settings: for a new one, and for the opened one. */
import type { Module, ModuleFamily } from '@breakwater/contract/modules/module-family.ts'
import { type ReactNode, useRef } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { z } from 'zod'
import { Button } from '../kit/Button.tsx'
import { Form } from '../kit/Form.tsx'
import { FormDrawer } from '../kit/FormDrawer.tsx'
import { type ResourceForm, useResourceForm } from '../kit/useResourceForm.ts'
import type { Fields } from '../pickers/conflicts/merge.ts'
import { useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useMay } from '../platform/session.ts'
import type { NewModule } from './ModulesScreen.tsx'
import { useModuleSave } from './useModuleSave.ts'

type Props<Settings extends FieldValues> = {
  siteId: number
  family: ModuleFamily
  schema: z.ZodType<Settings, Settings>
  /** The form's fields. */
  children: ReactNode
}

export function NewSettingsModule<Settings extends FieldValues>({
  siteId,
  family,
  schema,
  fresh,
  onClose,
  onMade,
  children,
}: Props<Settings> & NewModule & { fresh: Settings }) {
  const t = usePhrases('modules')
  const create = useChange(family.calls.create, family.calls.list)
  const form = useResourceForm(schema, {
    values: fresh,
    save: (module) => create.mutateAsync({ siteId, body: { modules: [module as never] } }),
    done: t('made'),
    onSaved: ({ ids }) => onMade(ids[0]),
    fieldOf: (field) => field.replace('modules.0.', ''),
  })
  return (
    <FormDrawer form={form} title={t('add')} onClose={onClose} saveLabel={t('add')}>
      {children}
    </FormDrawer>
  )
}

export function ChangeSettingsModule<Settings extends FieldValues>({
  siteId,
  family,
  schema,
  module,
  done,
  children,
}: Props<Settings> & { module: Module; done: string }) {
  const t = usePhrases('modules')
  const mayWrite = useMay()('modules.write')
  // Counts are read-only.
  const { id, domainCount: _, [family.count]: __, ...values } = module
  // The values that the form was filled with: the edits are based on them.
  const base = useRef<Fields>(values)
  const merging = useModuleSave(siteId, family, id, () => form.labels)
  const form: ResourceForm = useResourceForm(schema, {
    values: values as unknown as Settings,
    save: (body) => merging.save(body, base.current),
    done: ({ kept }) => kept ?? done,
    stays: (_, { fields }) => {
      base.current = fields
      return { ...fields } as unknown as Settings
    },
  })
  return (
    <Form form={form}>
      {children}
      {merging.dialog}
      {mayWrite && (
        <Button type="submit" look="solid" busy={form.busy}>
          {t('item.save')}
        </Button>
      )}
    </Form>
  )
}
