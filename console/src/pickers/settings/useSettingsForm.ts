/** The form of a settings group. */
import type { AnyEndpoint } from '@breakwater/contract/endpoint.ts'
import type { SettingsGroup } from '@breakwater/contract/settings.ts'
import type { z } from 'zod'
import { send } from '../../platform/browser.ts'
import { useChange } from '../../platform/calls.ts'
import type { Fields } from '../conflicts/merge.ts'
import { useMergedForm } from '../conflicts/useMergedForm.ts'

type Calls = SettingsGroup<'site', z.ZodObject, Record<string, unknown>>['calls']
type Options = {
  calls: Pick<Calls, 'get' | 'update'>
  /** The owner of the settings, as path parameters of the calls. */
  place: { siteId: number }
  refreshes?: readonly AnyEndpoint[]
  /** The saved values of the form's fields. */
  stored: Fields
  fieldsOf: (answer: Record<string, unknown>) => Fields
  /** Converts them to the request body. */
  sent?: (fields: Fields) => Fields
  done: string
  stays: (saved: Fields) => Fields
}

/** `begin` loads other values into the form, which count as saved. */
export function useSettingsForm(schema: z.ZodObject, options: Options) {
  const { calls, place, refreshes = [], stored, fieldsOf, sent = (fields) => fields, done, stays } = options
  const update = useChange(calls.update, calls.get, ...refreshes)
  return useMergedForm<Fields>(schema, {
    ...{ stored, done, stays },
    fieldsOf: (state) => state,
    write: (fields, basedOn) =>
      update.mutateAsync({ ...place, body: { ...sent(fields), ...(basedOn && { basedOn }) } }),
    readNow: async () => fieldsOf(await send(calls.get, place)),
  })
}
