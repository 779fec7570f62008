/** Shows every block in its states, or the one named in the URL. The theme and the language are set there too. */
import { Suspense, useMemo, useSyncExternalStore } from 'react'
import { Toaster } from '../kit/Toaster.tsx'
import { applyLocale, type Locale, LocaleContext, locales } from '../platform/locale.ts'
import { allStories, type NamedStory } from './story.ts'

const listen = (watch: () => void) => {
  addEventListener('hashchange', watch)
  return () => removeEventListener('hashchange', watch)
}

/** `#story=Menu&theme=dark&locale=zh_TW`; any other parameter only forces a remount. */
export function Gallery() {
  const hash = useSyncExternalStore(listen, () => location.hash.slice(1))
  const query = useMemo(() => new URLSearchParams(hash), [hash])
  const asked = query.get('locale') ?? ''
  const locale = asked in locales ? (asked as Locale) : 'en_US'
  applyLocale(locale, false)
  document.documentElement.classList.toggle('dark', query.get('theme') === 'dark')
  const shown = useMemo(() => chosen(query.get('story')), [query])
  const language = useMemo(() => ({ locale, setLocale: () => {} }), [locale])
  return (
    <LocaleContext value={language} key={hash}>
      <main className="mx-auto max-w-[1180px] px-4 py-6">
        <header className="mb-6 flex flex-wrap items-center gap-x-4 gap-y-1">
          <h1 className="mr-auto font-semibold text-[20px]">Kit gallery</h1>
          {[...themes, ...Object.keys(locales).map((name) => `locale=${name}`)].map((choice) => (
            <a key={choice} href={`#${withChoice(query, choice)}`} className="text-ink-2 underline underline-offset-4">
              {choice.split('=')[1]}
            </a>
          ))}
        </header>
        <Suspense fallback={<p>…</p>}>
          <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
            {shown.map((story, index) => (
              <Frame key={story.id} story={story} isFirst={story.block !== shown[index - 1]?.block} />
            ))}
          </div>
          <Toaster />
          <span data-ready={hash} />
        </Suspense>
      </main>
    </LocaleContext>
  )
}

const themes = ['theme=light', 'theme=dark']

/** Returns the named story or block, or else all stories that can be shown side by side. */
const chosen = (name: string | null): readonly NamedStory[] =>
  allStories.filter((story) => (name ? story.id === name || story.block === name : !story.alone))

function withChoice(query: URLSearchParams, choice: string): string {
  const next = new URLSearchParams(query)
  const [name, value] = choice.split('=')
  next.set(name!, value!)
  return next.toString()
}

function Frame({ story: { id, block, name, waits, show: Show }, isFirst }: { story: NamedStory; isFirst: boolean }) {
  return (
    <article data-story={id} data-waits={waits} className="min-w-0">
      {isFirst && (
        <h2 className="mb-2 border-line border-b pb-1 font-semibold text-[15px]">
          <a href={`#story=${block}`}>{block}</a>
        </h2>
      )}
      <p className="mb-2 text-ink-3 text-xs">{name}</p>
      <Show />
    </article>
  )
}
