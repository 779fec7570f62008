/** The user's named views of a list. */
import type { ViewList } from '@breakwater/contract/account/views.ts'
import { useState } from 'react'
import { SavedViews } from '../kit/SavedViews.tsx'
import { useSavedViews } from './saved-views.ts'

export function ListViews({ list }: { list: ViewList }) {
  const [isAsked, setAsked] = useState(false)
  const { views, call, save, isSaving } = useSavedViews(list, isAsked)
  return (
    <SavedViews list={list} views={views} call={call} save={save} isSaving={isSaving} onOpen={() => setAsked(true)} />
  )
}
