/** A block of the kit in its states. A file of `stories/` is one block; each name it gives is one story of it. */
import type { ComponentType } from 'react'

export type Story = {
  show: ComponentType
  /** It covers the page (a dialog), so it is shown by itself only. */
  alone?: boolean
  /** It shows how the block waits, so that nobody waits for it. */
  waits?: boolean
}

/** Keyed by what is shown, in a word or two. A component is a story that stands beside others. */
export type Stories = Record<string, Story | ComponentType>

export type NamedStory = Story & { id: string; block: string; name: string }

const files = import.meta.glob<{ stories: Stories }>('./stories/*.tsx', { eager: true })

/** Every story, by block and in the order that its file gives. The id is `block/name`. */
export const allStories: readonly NamedStory[] = Object.entries(files).flatMap(([file, { stories }]) => {
  const block = /([^/]+)\.tsx$/.exec(file)![1]!
  return Object.entries(stories).map(([name, story]) => ({
    ...(typeof story === 'function' ? { show: story } : story),
    id: `${block}/${name}`,
    block,
    name,
  }))
})
