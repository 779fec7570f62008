/** A form for existing data: it follows the saved state while unedited, and merges with concurrent changes. */
import { useEffect, useRef } from 'react'
import type { z } from 'zod'
import { type ResourceForm, useResourceForm } from '../../kit/useResourceForm.ts'
import { fieldWords } from './field-words.ts'
import type { Fields } from './merge.ts'
import { useMergedSave } from './useMergedSave.tsx'

type Options<State> = {
  /** The saved state, as fetched. */
  stored: State
  /** Converts the state to form values. */
  fieldsOf: (state: State) => Fields
  /** Saves fields that are based on `base`. */
  write: (fields: Fields, base?: State) => Promise<unknown>
  readNow: () => Promise<State | undefined>
  done: string
  /** For a form that stays open: the saved state, given the saved fields. */
  stays?: (fields: Fields) => State
  onSaved?: () => void
  fieldOf?: (serverField: string) => string
  /** Names for fields without a label, by field. */
  names?: Readonly<Record<string, string>>
}

/** `begin` loads another state into the form, which counts as saved. Render `dialog` beside the form. */
export function useMergedForm<State>(schema: z.ZodObject, options: Options<State>) {
  const { stored, fieldsOf, write, readNow, done, stays, onSaved, fieldOf, names = {} } = options
  // The state that the form was filled with: the edits are based on it.
  const base = useRef(stored)
  const merging = useMergedSave<State>({
    what: 'conflict.settings',
    ...{ fieldsOf, write, readNow },
    words: (was, is, say) => fieldWords(new Map([...form.labels, ...Object.entries(names)]))(was, is, say),
  })
  const form: ResourceForm = useResourceForm(schema, {
    values: { ...fieldsOf(stored) },
    save: (body) => merging.save(body, base.current),
    done: ({ kept }) => kept ?? done,
    ...(stays && {
      stays: (_: unknown, { fields }: { fields: Fields }) => {
        base.current = stays(fields)
        return { ...fieldsOf(base.current) }
      },
    }),
    ...(onSaved && { onSaved }),
    ...(fieldOf && { fieldOf }),
  })
  const begin = (state: State) => {
    base.current = state
    form.methods.reset({ ...fieldsOf(state) })
  }
  const { isDirty, isSubmitting } = form.methods.formState
  const isTouched = useRef(false)
  isTouched.current = isDirty || isSubmitting
  const now = JSON.stringify(stored)
  const seen = useRef(now)
  useEffect(() => {
    if (seen.current === now || isTouched.current) return
    seen.current = now
    const state = JSON.parse(now) as State
    base.current = state
    form.methods.reset({ ...fieldsOf(state) })
  }, [now, form.methods, fieldsOf])
  return { form, dialog: merging.dialog, begin }
}
