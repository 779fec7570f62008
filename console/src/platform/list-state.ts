/** The state of a list: what the URL says, and otherwise what the person chose last time. */
import { useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import type { z } from 'zod'
import { useListLook } from './list-look.ts'
import { type ListSearch, useSearchState } from './search-state.ts'

/** `list` is the key of what is remembered: the page size. The schema is `ListSearch` with the list's filters. */
export function useListState<S extends z.ZodObject>(list: string, schema: S) {
  const [fromAddress, patch] = useSearchState(schema)
  const [look, keep] = useListLook(list)
  const search = useSearch({ strict: false }) as { pageSize?: unknown }
  const isSaid = search.pageSize !== undefined
  const state = useMemo(
    () => (isSaid || look.pageSize === undefined ? fromAddress : { ...fromAddress, pageSize: look.pageSize }),
    [isSaid, fromAddress, look.pageSize],
  )
  const go = useCallback<typeof patch>(
    (next, options) => {
      const { pageSize } = next as Partial<ListSearch>
      if (pageSize !== undefined) keep({ ...look, pageSize })
      patch(next, options)
    },
    [look, keep, patch],
  )
  return [state, go] as const
}
