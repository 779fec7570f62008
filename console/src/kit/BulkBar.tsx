/**
 * The bar at the foot of a list while rows are selected: how many, select all matching instead, the actions and their
 * progress. It is sticky and does not shift the rows.
 */
import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { usePhrases } from '../platform/phrases.ts'
import { Button, IconButton } from './Button.tsx'
import type { Progress } from './batches.ts'

type Props = {
  chosen: number
  /** The number of all matching rows, if there are more than selected and they can be selected. */
  matching: number | undefined
  /** How many of the matching rows have been fetched, while fetching. */
  reading: number | undefined
  progress: Progress | undefined
  onEverything: () => void
  onClear: () => void
  children: ReactNode
}

export function BulkBar({ chosen, matching, reading, progress, onEverything, onClear, children }: Props) {
  const t = usePhrases('kit')
  const running = progress ?? (reading === undefined ? undefined : { done: reading, of: matching ?? 0 })
  return (
    <div className="sticky bottom-0 z-3 flex min-h-[42px] flex-wrap items-center gap-2 border-line border-t bg-accent-bg px-3 py-1.5">
      <b className="num mr-1">{t('selected', { n: chosen })}</b>
      {running ? (
        <span role="status" className="num inline-flex items-center gap-2 text-ink-2">
          <span aria-hidden className="h-1.5 w-24 overflow-hidden rounded-full bg-mute">
            <span
              className="block h-full rounded-full bg-accent"
              style={{ width: `${running.of === 0 ? 0 : Math.min(100, (100 * running.done) / running.of)}%` }}
            />
          </span>
          {t('bulk.progress', { done: running.done, of: running.of })}
        </span>
      ) : (
        <>
          {matching !== undefined && (
            <Button size="sm" look="ghost" className="text-accent" onClick={onEverything}>
              {t('selectMatching', { n: matching })}
            </Button>
          )}
          <span className="contents max-sm:order-2 max-sm:flex max-sm:w-full max-sm:flex-wrap max-sm:gap-2">
            {children}
          </span>
        </>
      )}
      <span className="ml-auto">
        <IconButton size="iconSm" label={t('clearSelection')} onClick={onClear}>
          <X size={14} aria-hidden />
        </IconButton>
      </span>
    </div>
  )
}
