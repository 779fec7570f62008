/** The rows of a query, fetched page by page while scrolling. */
import type { AccessLogRow } from '@breakwater/contract/logs/access.ts'
import { logExplorer } from '@breakwater/contract/logs/explorer.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { currentTier, send } from '../platform/browser.ts'
import type { Fault } from '../platform/fault.ts'
import type { Asked } from './explorer-state.ts'

const pageRows = 200

export function useLogRows(asked: Asked) {
  const query = useInfiniteQuery<{ rows: AccessLogRow[]; next: string | null }, Fault>({
    queryKey: [logExplorer.rows.id, currentTier(), asked],
    initialPageParam: undefined,
    queryFn: ({ pageParam, signal }) =>
      send(logExplorer.rows, { body: { ...asked, limit: pageRows, after: pageParam as string | undefined } }, signal),
    getNextPageParam: ({ next }) => next ?? undefined,
    // The query has a fixed range: it is refreshed by hand only.
    staleTime: Number.POSITIVE_INFINITY,
  })
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.rows), [query.data])
  return { query, rows }
}
