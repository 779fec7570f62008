/** The form of a settings group: it follows what is saved while nothing is typed, and merges with what others save meanwhile. */
import type { AnyEndpoint } from '@breakwater/contract/endpoint.ts'
import type { SettingsGroup } from '@breakwater/contract/settings.ts'
import { useEffect, useRef } from 'react'
import type { z } from 'zod'
import { type ResourceForm, useResourceForm } from '../../kit/useResourceForm.ts'
import { send } from '../../platform/browser.ts'
import { useChange } from '../../platform/calls.ts'
import { fieldWords } from '../conflicts/field-words.ts'
import type { Fields } from '../conflicts/merge.ts'
import { useMergedSave } from '../conflicts/useMergedSave.tsx'

type Calls = SettingsGroup<'site', z.ZodObject, Record<string, unknown>>['calls']
type Options = {
  calls: Pick<Calls, 'get' | 'update'>
  /** Whose settings they are, as the paths of the calls name it. */
  place: { siteId: number }
  refreshes?: readonly AnyEndpoint[]
  /** The fields of the form as they are saved. */
  stored: Fields
  fieldsOf: (answer: Record<string, unknown>) => Fields
  /** What is sent of them. */
  sent?: (fields: Fields) => Fields
  done: string
  stays: (saved: Fields) => Fields
}

/** `begin` has the form hold other fields, which count as saved. */
export function useSettingsForm(schema: z.ZodObject, options: Options) {
  const { calls, place, refreshes = [], stored, fieldsOf, sent = (fields) => fields, done, stays } = options
  const update = useChange(calls.update, calls.get, ...refreshes)
  // What the form was filled with: what is typed now was made from it.
  const base = useRef(stored)
  const merging = useMergedSave<Fields>({
    what: 'conflict.settings',
    fieldsOf: (state) => state,
    write: (fields, basedOn) =>
      update.mutateAsync({ ...place, body: { ...sent(fields), ...(basedOn && { basedOn }) } }),
    readNow: async () => fieldsOf(await send(calls.get, place)),
    words: (was, is, say) => fieldWords(form.labels)(was, is, say),
  })
  const form: ResourceForm = useResourceForm(schema, {
    values: stored,
    save: (body) => merging.save(body, base.current),
    done: ({ kept }) => kept ?? done,
    stays: (_, { fields }) => {
      base.current = stays(fields)
      return { ...base.current }
    },
  })
  const begin = (fields: Fields) => {
    base.current = fields
    form.methods.reset({ ...fields })
  }
  const { isDirty, isSubmitting } = form.methods.formState
  const isTouched = useRef(false)
  isTouched.current = isDirty || isSubmitting
  const now = JSON.stringify(stored)
  const seen = useRef(now)
  useEffect(() => {
    if (seen.current === now || isTouched.current) return
    seen.current = now
    const fields = JSON.parse(now) as Fields
    base.current = fields
    form.methods.reset({ ...fields })
  }, [now, form.methods])
  return { form, dialog: merging.dialog, begin }
}
