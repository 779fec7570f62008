/** Keeps what was typed into a form when the session ends or the tab is closed, and restores it afterwards. */
import { type RefObject, useCallback, useEffect, useState } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { draftAt, dropDraft, keepBeyondTab, placeOf, watchForm } from '../platform/drafts.ts'
import { usePhrases } from '../platform/phrases.ts'
import { toasts } from '../platform/toasts.ts'

/**
 * `left` is set once the form may be left without confirmation. With `beyondTab`, all input is kept until the returned
 * function drops it.
 */
export function useDraft(
  methods: UseFormReturn<FieldValues>,
  left: RefObject<boolean>,
  beyondTab: boolean,
): () => void {
  const t = usePhrases('kit')
  const [place] = useState(() => placeOf(Object.keys(methods.getValues())))
  const [draft] = useState(() => draftAt(place))
  const { isDirty } = methods.formState
  useEffect(() => {
    if (!draft) return
    dropDraft(place)
    // The form's fields decide: values for fields it no longer has are not restored.
    for (const name of Object.keys(methods.getValues())) {
      if (name in draft) methods.setValue(name, draft[name], { shouldDirty: true })
    }
    toasts.info(t(beyondTab ? 'draft.kept' : 'draft.back'))
  }, [draft, place, methods, t, beyondTab])
  useEffect(
    () =>
      watchForm({
        place,
        release() {
          if (!isDirty || left.current) return undefined
          left.current = true
          const values = { ...methods.getValues() }
          for (const { name } of document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('[data-secret]')) {
            delete values[name.split('.')[0]!]
          }
          return values
        },
      }),
    [place, isDirty, left, methods],
  )
  useEffect(() => {
    if (!beyondTab) return
    const { unsubscribe } = methods.watch((values) => keepBeyondTab(place, values))
    return unsubscribe
  }, [beyondTab, place, methods])
  return useCallback(() => dropDraft(place), [place])
}
