/** Server state: `useCall` reads, `useChange` writes. The query key of a call is its id, its console and its input. */
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
    // Sent even when offline: a query that waited for the network would show a skeleton forever, and a mutation could
    // succeed when nobody expects it any more.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 5_000,
      // Retrying does not change a refusal. An outage may pass, and a page of many charts may have hit the rate limit
      // (429).
      retry: (count, error) =>
        error instanceof Fault && error.status > 0 && error.status < 500
          ? error.status === 429 && count < 4
          : count < 1,
    },
  },
})

type Options<Answer> = {
  /** The polling interval in milliseconds while the page is visible; may depend on the response. */
  everyMs?: number | ((answer: Answer | undefined) => number | undefined)
  enabled?: boolean
}

/** A call as a query, to read it outside of components. */
export function queryOf<E extends AnyEndpoint>(endpoint: E, input: Input<E>) {
  return queryOptions<Reply<E>, Fault>({
    queryKey: [endpoint.id, currentTier(), input],
    queryFn: ({ signal }) => send(endpoint, input, signal),
  })
}

/** Reads a call. The previous rows stay while the next page loads. */
export function useCall<E extends AnyEndpoint>(
  endpoint: E,
  input: Input<E>,
  { everyMs, enabled = true }: Options<Reply<E>> = {},
): UseQueryResult<Reply<E>, Fault> {
  const query = queryOf(endpoint, input)
  const client = useQueryClient()
  // Starts the first fetch while the page around it is still rendering.
  if (enabled && !client.getQueryState(query.queryKey)) void client.prefetchQuery(query)
  return useQuery<Reply<E>, Fault>({
    ...query,
    placeholderData: endpoint.kind === 'list' ? (keepPreviousData as never) : undefined,
    enabled,
    refetchInterval: typeof everyMs === 'function' ? ({ state }) => everyMs(state.data) ?? false : (everyMs ?? false),
  })
}

export type Change<E extends AnyEndpoint> = UseMutationResult<Reply<E>, Fault, Input<E>>

/** The calls to fetch again after any change of a site's settings. */
const ofSites = ['site.publish.status', 'site.history.list', 'site.get']

/** Writes a change. The calls in `refreshes` are fetched again; after a change of a site, so is its publish status. */
export function useChange<E extends AnyEndpoint>(endpoint: E, ...refreshes: AnyEndpoint[]): Change<E> {
  const client = useQueryClient()
  return useMutation<Reply<E>, Fault, Input<E>>({
    mutationFn: (input) => send(endpoint, input),
    onSuccess() {
      refresh(client, [...refreshes.map(({ id }) => id), ...(endpoint.path.includes(':siteId') ? ofSites : [])])
    },
  })
}

/** Invalidates all responses of some calls, whatever their input. */
function refresh(client: QueryClient, names: string[]): void {
  const ids = new Set(names)
  void client.invalidateQueries({ predicate: ({ queryKey }) => ids.has(String(queryKey[0])) })
}
