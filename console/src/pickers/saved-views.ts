/**
 * The user's named views of a list: stored with the account, and cached here, so that a page knows its view's name
 * without a request. Views from when they were stored in the browser only are moved to the account when first
 * displayed.
 */
import { SavedView, savedViews, type ViewList, viewsMax } from '@breakwater/contract/account/views.ts'
import { useEffect } from 'react'
import { z } from 'zod'
import { showFault } from '../kit/faults.tsx'
import { queryClient, queryOf, useCall, useChange } from '../platform/calls.ts'
import { useRemembered } from '../platform/remembered.ts'

const Remembered = z.object({
  views: z.array(SavedView).catch([]),
  /** Whether they are stored with the account: older ones are not. */
  isKept: z.boolean().catch(false),
})

/** `isAsked` is set once the user opens the views. */
export function useSavedViews(list: ViewList, isAsked: boolean) {
  const [{ views, isKept }, remember] = useRemembered(`views.${list}`, Remembered)
  const call = useCall(savedViews.list, { query: { list } }, { enabled: isAsked })
  const saving = useChange(savedViews.update, savedViews.list)
  const given = call.data?.views

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per response
  useEffect(() => {
    if (!given) return
    const all = withOwn(given)
    if (all.length === given.length) remember({ views: given, isKept: true })
    else save(() => all).catch(showFault)
  }, [given])

  /** The account's views, and those that only this browser has. */
  const withOwn = (known: readonly SavedView[]) =>
    [...known, ...(isKept ? [] : views.filter(({ name }) => !known.some((view) => view.name === name)))].slice(
      0,
      viewsMax,
    )

  /** Based on the account's views, which may still be loading for a quick user. */
  async function save(alter: (views: SavedView[]) => SavedView[]) {
    const known = await queryClient.fetchQuery(queryOf(savedViews.list, { query: { list } }))
    const next = alter(withOwn(known.views))
    await saving.mutateAsync({ body: { list, views: next } })
    remember({ views: next, isKept: true })
  }
  return { views, call, save, isSaving: saving.isPending }
}
