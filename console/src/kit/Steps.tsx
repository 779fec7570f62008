/** Progress through a few steps: done, current, upcoming. */
import { Check } from 'lucide-react'
import { cn } from './cn.ts'

export function Steps({ names, at }: { names: readonly string[]; at: number }) {
  return (
    <ol className="mb-5 flex flex-wrap items-center gap-x-2 gap-y-1">
      {names.map((name, index) => {
        const isDone = index < at
        const isNow = index === at
        return (
          <li key={name} aria-current={isNow ? 'step' : undefined} className="flex items-center gap-2">
            {index > 0 && <span aria-hidden className="h-px w-6 bg-line-strong max-sm:w-3" />}
            <span
              aria-hidden
              className={cn(
                'num grid size-5 place-items-center rounded-full border font-medium text-[11px]',
                isDone
                  ? 'border-ok bg-ok text-surface'
                  : isNow
                    ? 'border-solid bg-solid text-on-solid'
                    : 'border-line-strong text-ink-2',
              )}
            >
              {isDone ? <Check size={12} strokeWidth={3} /> : index + 1}
            </span>
            <span className={cn(isNow ? 'font-medium' : 'text-ink-3')}>{name}</span>
          </li>
        )
      })}
    </ol>
  )
}
