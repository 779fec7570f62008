/** Every block in its states, or the one story that the address names. */
import { Suspense } from 'react'
import { Toaster } from '../kit/Toaster.tsx'
import { allStories, type NamedStory } from './story.ts'

export function Gallery({ only }: { only: string | null }) {
  const shown = allStories.filter((story) => (only ? story.id === only || story.block === only : !story.alone))
  return (
    <main className="mx-auto grid max-w-[1180px] gap-8 px-4 py-6">
      <h1 className="font-semibold text-[20px]">Kit gallery</h1>
      <Suspense fallback={<p>…</p>}>
        {shown.map((story, index) => (
          <Frame key={story.id} story={story} isFirst={story.block !== shown[index - 1]?.block} />
        ))}
        <Toaster />
        <span data-ready />
      </Suspense>
    </main>
  )
}

function Frame({ story, isFirst }: { story: NamedStory; isFirst: boolean }) {
  return (
    <article data-story={story.id} className="min-w-0">
      {isFirst && (
        <h2 className="mb-2 border-line border-b pb-1 font-semibold text-[15px]">
          <a href={`?story=${story.block}`}>{story.block}</a>
        </h2>
      )}
      <p className="mb-2 text-ink-3 text-xs">{story.name}</p>
      {story.show()}
    </article>
  )
}
