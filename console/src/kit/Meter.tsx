/**
 * The used share of a limit. The text states it; above nine tenths, bar and text change colour and the text becomes
 * bolder.
 */
import { cn } from './cn.ts'

export function Meter({ share, text }: { share: number; text: string }) {
  const isHigh = share > 0.9
  return (
    <span className="inline-flex items-center gap-2">
      <span aria-hidden className="h-1.5 w-14 overflow-hidden rounded-full bg-mute">
        <span
          className={cn('block h-full rounded-full', isHigh ? 'bg-bad' : 'bg-ink-3')}
          style={{ width: `${Math.min(100, share * 100)}%` }}
        />
      </span>
      <span className={cn('num', isHigh && 'font-medium text-bad')}>{text}</span>
    </span>
  )
}
