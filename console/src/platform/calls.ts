/** Server state: reading is `useCall`, changing is `useChange`. The key of a call is its id, its console and its input. */
import type { AnyEndpoint, Input, Reply } from '@breakwater/contract/endpoint.ts'
import {
  keepPreviousData,
  QueryClient,
  queryOptions,
  type UseMutationResult,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { currentTier, send } from './browser.ts'
import { Fault } from './fault.ts'

export const queryClient = new QueryClient({
  defaultOptions: {
    // Asked in any case: a call that waited for the network would be a skeleton without end, and a save that goes through
    // when nobody expects it any more.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 5_000,
      // Refusals do not change by asking again; an outage may pass, and a page of many charts may have asked too fast.
      retry: (count, error) =>
        error instanceof Fault && error.status > 0 && error.status < 500
          ? error.status === 429 && count < 4
          : count < 1,
    },
  },
})

type Options<Answer> = {
  /** Asks again every so many milliseconds while the page is visible; may depend on the answer. */
  everyMs?: number | ((answer: Answer | undefined) => number | undefined)
  enabled?: boolean
}

/** A call as a query, for reading it outside of components. */
export function queryOf<E extends AnyEndpoint>(endpoint: E, input: Input<E>) {
  return queryOptions<Reply<E>, Fault>({
    queryKey: [endpoint.id, currentTier(), input],
    queryFn: ({ signal }) => send(endpoint, input, signal),
  })
}

/** Reads a call. The rows of before stay while the next page loads. */
export function useCall<E extends AnyEndpoint>(
  endpoint: E,
  input: Input<E>,
  { everyMs, enabled = true }: Options<Reply<E>> = {},
): UseQueryResult<Reply<E>, Fault> {
  const query = queryOf(endpoint, input)
  const client = useQueryClient()
  // A first answer is on its way while the page around it is still being drawn.
  if (enabled && !client.getQueryState(query.queryKey)) void client.prefetchQuery(query)
  return useQuery<Reply<E>, Fault>({
    ...query,
    placeholderData: endpoint.kind === 'list' ? (keepPreviousData as never) : undefined,
    enabled,
    refetchInterval: typeof everyMs === 'function' ? ({ state }) => everyMs(state.data) ?? false : (everyMs ?? false),
  })
}

export type Change<E extends AnyEndpoint> = UseMutationResult<Reply<E>, Fault, Input<E>>

/** What every change of a site's settings makes old. */
const ofSites = ['site.publish.status', 'site.history.list', 'site.get']

/** Changes something. Calls named in `refreshes` are asked again, and a site's publishing after a change of it. */
export function useChange<E extends AnyEndpoint>(endpoint: E, ...refreshes: AnyEndpoint[]): Change<E> {
  const client = useQueryClient()
  return useMutation<Reply<E>, Fault, Input<E>>({
    mutationFn: (input) => send(endpoint, input),
    onSuccess() {
      refresh(client, [...refreshes.map(({ id }) => id), ...(endpoint.path.includes(':siteId') ? ofSites : [])])
    },
  })
}

/** Marks all answers of some calls as old, whatever their input. */
function refresh(client: QueryClient, names: string[]): void {
  const ids = new Set(names)
  void client.invalidateQueries({ predicate: ({ queryKey }) => ids.has(String(queryKey[0])) })
}
