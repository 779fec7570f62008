/** The loading state of a page. */
import { usePhrases } from '../platform/phrases.ts'

export function Loading() {
  const t = usePhrases('kit')
  return (
    <div role="status" data-loading className="appear-late grid min-h-[40vh] place-items-center text-ink-3">
      <span className="status inline-flex items-center gap-2 text-ink-3" data-ring>
        {t('loading')}
      </span>
    </div>
  )
}
