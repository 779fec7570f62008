/** A share of something that can run out. Above nine tenths it is told by more than its length. */
import { cn } from './cn.ts'

export function Meter({ label, share, text }: { label: string; share: number; text: string }) {
  const isHigh = share > 0.9
  return (
    <span className="inline-flex items-center gap-2">
      <span
        // biome-ignore lint/a11y/useSemanticElements: a meter element cannot be styled alike in all browsers
        role="meter"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={1}
        aria-valuenow={Math.min(1, Math.max(0, share))}
        aria-valuetext={text}
        className="h-1.5 w-14 overflow-hidden rounded-full bg-mute"
      >
        <span
          className={cn('block h-full rounded-full bg-ink-3', isHigh && 'bg-bad')}
          style={{ width: `${Math.min(100, share * 100)}%` }}
        />
      </span>
      <span className={cn('num', isHigh && 'font-medium text-bad')}>{text}</span>
    </span>
  )
}
