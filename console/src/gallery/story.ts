/** A kit block in its states. Each file of `stories/` is one block; each of its entries is one story of it. */
import type { ComponentType } from 'react'

export type Story = {
  show: ComponentType
  /** It covers the page (a dialog), so it is only shown alone. */
  alone?: boolean
  /** It shows the loading state of the block, so tests do not wait for it to load. */
  waits?: boolean
}

/** The key names what is shown, in a word or two. A plain component is a story that can be shown next to others. */
export type Stories = Record<string, Story | ComponentType>

export type NamedStory = Story & { id: string; block: string; name: string }

const files = import.meta.glob<{ stories: Stories }>('./stories/*.tsx', { eager: true })

/** Every story, by block and in the order of its file. The id is `block/name`. */
export const allStories: readonly NamedStory[] = Object.entries(files).flatMap(([file, { stories }]) => {
  const block = /([^/]+)\.tsx$/.exec(file)![1]!
  return Object.entries(stories).map(([name, story]) => ({
    ...(typeof story === 'function' ? { show: story } : story),
    id: `${block}/${name}`,
    block,
    name,
  }))
})
