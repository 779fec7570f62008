/** State in the URL: page, filters, tab, range and the open drawer, so that reload, back and links work. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { z } from 'zod'

/** A URL may contain anything; unreadable values become the default. */
export function useSearchState<S extends z.ZodObject>(schema: S) {
  const search: unknown = useSearch({ strict: false })
  const state = useMemo(() => schema.parse(search) as z.output<S>, [schema, search])
  const navigate = useNavigate()
  const go = useCallback(
    (patch: Partial<z.output<S>>, { replace = false }: { replace?: boolean } = {}) => {
      const next = (before: Record<string, unknown>) => {
        const merged: Record<string, unknown> = { ...before, ...patch }
        for (const [name, value] of Object.entries(merged)) {
          if (value === '' || (Array.isArray(value) && value.length === 0)) delete merged[name]
        }
        return merged
      }
      void navigate({ to: '.', search: next as never, replace, resetScroll: false })
    },
    [navigate],
  )
  return [state, go] as const
}

export const pageSizes = [10, 25, 50, 75, 100] as const
/** For the vendor's lists, the audit log and traffic: they are read in bulk. */
export const widePageSizes = [...pageSizes, 200, 500] as const
/** The page size until the person chooses one. */
export const defaultPageSize = 25

/** A list's search parameters. */
export const ListSearch = z.object({
  page: z.number().int().min(1).catch(1),
  pageSize: z.literal([...widePageSizes]).catch(defaultPageSize),
  sortBy: z.string().optional().catch(undefined),
  orderBy: z.enum(['asc', 'desc']).catch('desc'),
  /** The open drawer: `new` or an id. */
  edit: z
    .union([z.literal('new'), z.number()])
    .optional()
    .catch(undefined),
})
export type ListSearch = z.output<typeof ListSearch>
