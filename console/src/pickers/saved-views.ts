/**
 * One's named views of a list: kept with the account, and remembered here, so that a page knows its view's name without
 * asking. Views of the time when they stayed in the browser go to the account when they are first looked at.
 */
import { SavedView, savedViews, type ViewList, viewsMax } from '@breakwater/contract/account/views.ts'
import { useEffect } from 'react'
import { z } from 'zod'
import { showFault } from '../kit/faults.tsx'
import { queryClient, queryOf, useCall, useChange } from '../platform/calls.ts'
import { useRemembered } from '../platform/remembered.ts'

const Remembered = z.object({
  views: z.array(SavedView).catch([]),
  /** Whether they are the account's: those of before are not. */
  isKept: z.boolean().catch(false),
})

/** `isAsked` once somebody looks at them. */
export function useSavedViews(list: ViewList, isAsked: boolean) {
  const [{ views, isKept }, remember] = useRemembered(`views.${list}`, Remembered)
  const call = useCall(savedViews.list, { query: { list } }, { enabled: isAsked })
  const saving = useChange(savedViews.update, savedViews.list)
  const given = call.data?.views

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each answer
  useEffect(() => {
    if (!given) return
    const all = withOwn(given)
    if (all.length === given.length) remember({ views: given, isKept: true })
    else save(() => all).catch(showFault)
  }, [given])

  /** The account's, and those that only this browser had. */
  const withOwn = (known: readonly SavedView[]) =>
    [...known, ...(isKept ? [] : views.filter(({ name }) => !known.some((view) => view.name === name)))].slice(
      0,
      viewsMax,
    )

  /** From what the account has, which may still be on its way when somebody is quick. */
  async function save(alter: (views: SavedView[]) => SavedView[]) {
    const known = await queryClient.fetchQuery(queryOf(savedViews.list, { query: { list } }))
    const next = alter(withOwn(known.views))
    await saving.mutateAsync({ body: { list, views: next } })
    remember({ views: next, isKept: true })
  }
  return { views, call, save, isSaving: saving.isPending }
}
