/** The operator's announcements to the signed-in person, and dismissing them. */
import { shownAnnouncements } from '@breakwater/contract/announcements/announcements.ts'
import { useQuery } from '@tanstack/react-query'
import { showFault } from '../kit/faults.tsx'
import { queryOf, useChange } from '../platform/calls.ts'
import { useLocale } from '../platform/locale.ts'
import { useSelf } from '../platform/session.ts'

/** How often they are fetched again while the page is visible. */
const everyMs = 600_000
const shownMax = 100

export function useAnnouncements() {
  const { locale } = useLocale()
  const self = useSelf()
  const call = queryOf(shownAnnouncements.list, { query: { pageSize: shownMax } })
  // The server chooses the language, so each language is cached separately.
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
    /** Undefined for anyone who acts for another: only the person himself can mark them as read. */
    dismiss: self.proxiedBy ? undefined : (ids: number[]) => change.mutate({ body: { ids } }, { onError: showFault }),
  }
}
