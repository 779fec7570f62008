/** A bulk action that needs input: a drawer with its fields, saved for all selected rows. */
import { type ReactNode, useState } from 'react'
import type { FieldValues } from 'react-hook-form'
import type { z } from 'zod'
import { Button } from './Button.tsx'
import { FormDrawer } from './FormDrawer.tsx'
import { useResourceForm } from './useResourceForm.ts'

type Props<S extends z.ZodType<FieldValues, FieldValues>> = {
  /** The text of the button. */
  label: string
  /** The title of the drawer: how many rows it applies to. */
  title: string
  schema: S
  values: z.input<S>
  /** One call, which succeeds for all rows or for none. */
  act: (body: z.output<S>) => Promise<unknown>
  done: string
  /** Clears the selection. */
  clear: () => void
  fieldOf?: (serverField: string) => string
  /** The fields (`fieldsOf(schema)`). */
  children: ReactNode
}

export function BulkForm<S extends z.ZodType<FieldValues, FieldValues>>({ label, ...form }: Props<S>) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button size="sm" onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && <BulkDrawer {...form} onClose={() => setOpen(false)} />}
    </>
  )
}

type DrawerProps<S extends z.ZodType<FieldValues, FieldValues>> = Omit<Props<S>, 'label'> & { onClose: () => void }

function BulkDrawer<S extends z.ZodType<FieldValues, FieldValues>>(props: DrawerProps<S>) {
  const { title, schema, values, act, done, clear, fieldOf, children, onClose } = props
  const form = useResourceForm(schema, {
    values,
    save: act,
    done,
    onSaved: () => {
      onClose()
      clear()
    },
    ...(fieldOf && { fieldOf }),
  })
  return (
    <FormDrawer form={form} title={title} onClose={onClose}>
      {children}
    </FormDrawer>
  )
}
