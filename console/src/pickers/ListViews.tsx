/** The named views of a list, of whoever looks at it. */
import type { ViewList } from '@breakwater/contract/account/views.ts'
import { useState } from 'react'
import { useSavedViews } from '../app/saved-views.ts'
import { SavedViews } from '../kit/SavedViews.tsx'

export function ListViews({ list }: { list: ViewList }) {
  const [isAsked, setAsked] = useState(false)
  const { views, call, save, isSaving } = useSavedViews(list, isAsked)
  return (
    <SavedViews list={list} views={views} call={call} save={save} isSaving={isSaving} onOpen={() => setAsked(true)} />
  )
}
