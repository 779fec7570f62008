/** Saves a module's name and settings, and merges them with concurrent changes. */
import type { Module, ModuleFamily } from '@breakwater/contract/modules/module-family.ts'
import { fieldWords } from '../pickers/conflicts/field-words.ts'
import type { Fields } from '../pickers/conflicts/merge.ts'
import { useMergedSave } from '../pickers/conflicts/useMergedSave.tsx'
import { send } from '../platform/browser.ts'
import { useChange } from '../platform/calls.ts'

/** Customers have no more modules of a family than one page of a list shows. */
const modulesMax = 500

/** `labels` are the names of the form's fields, once it is rendered. */
export function useModuleSave(
  siteId: number,
  family: ModuleFamily,
  id: number,
  labels: () => ReadonlyMap<string, string>,
) {
  const { calls } = family
  const update = useChange(calls.update, calls.list)
  const fieldsOf = ({ id: _, domainCount: __, [family.count]: ___, ...fields }: Fields): Fields => fields
  return useMergedSave<Fields>({
    what: 'conflict.settings',
    fieldsOf,
    write: (fields, basedOn) => update.mutateAsync({ siteId, body: { id, ...fields, basedOn } as never }),
    readNow: async () => {
      const { data } = await send(calls.list, { siteId, query: { page: 1, pageSize: modulesMax } })
      const now = (data as Module[]).find((module) => module.id === id)
      return now && fieldsOf(now)
    },
    words: (was, is, say) => fieldWords(labels())(was, is, say),
  })
}
