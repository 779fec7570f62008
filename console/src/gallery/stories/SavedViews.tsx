import { type ComponentProps, useState } from 'react'
import { SavedViews } from '../../kit/SavedViews.tsx'
import { loaded } from '../loaded.ts'
import type { Stories } from '../story.ts'

/** Kept until the page is closed. */
function Kept() {
  const [views, setViews] = useState<ComponentProps<typeof SavedViews>['views']>([])
  return (
    <SavedViews
      list="gallery.views"
      views={views}
      call={loaded(views)}
      save={async (alter) => setViews(alter([...views]))}
      isSaving={false}
      onOpen={() => {}}
    />
  )
}

export const stories: Stories = { 'of a list': () => <Kept /> }
