/** What the operator announces to the one who is signed in, and putting it away. */
import { shownAnnouncements } from '@breakwater/contract/announcements/announcements.ts'
import { useQuery } from '@tanstack/react-query'
import { showFault } from '../kit/faults.tsx'
import { queryOf, useChange } from '../platform/calls.ts'
import { useLocale } from '../platform/locale.ts'
import { useSelf } from '../platform/session.ts'

/** Asked again this often while the page is looked at. */
const everyMs = 600_000
const shownMax = 100

export function useAnnouncements() {
  const { locale } = useLocale()
  const self = useSelf()
  const call = queryOf(shownAnnouncements.list, { query: { pageSize: shownMax } })
  // The server chooses the language, so each language is an answer of its own.
  const { data } = useQuery({
    ...call,
    queryKey: [...call.queryKey, locale],
    staleTime: 60_000,
    refetchInterval: everyMs,
  })
  const change = useChange(shownAnnouncements.read, shownAnnouncements.list)
  return {
    rows: data?.data ?? [],
    unread: data?.unread ?? 0,
    busy: change.isPending,
    /** Not there for whoever acts for another: reading is the person's own. */
    dismiss: self.proxiedBy ? undefined : (ids: number[]) => change.mutate({ body: { ids } }, { onError: showFault }),
  }
}
