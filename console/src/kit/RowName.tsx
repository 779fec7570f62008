/** The first cell of a row that opens a drawer: its name, and a description below it. */
import type { ReactNode } from 'react'
import { cn } from './cn.ts'

type Props = { name: string; mono?: boolean; onOpen: () => void; children?: ReactNode }

export function RowName({ name, mono, onOpen, children }: Props) {
  return (
    <div className={cn('min-w-0', children ? 'py-1.5' : 'py-1')}>
      <button
        type="button"
        onClick={onOpen}
        className={cn(
          'max-w-[420px] truncate text-left font-medium underline-offset-4 hover:text-accent hover:underline max-sm:max-w-full',
          mono && 'mono',
        )}
      >
        {name}
      </button>
      {children && (
        <div className="max-w-[min(480px,28vw)] truncate text-ink-2 max-sm:text-pretty max-sm:max-w-full max-sm:whitespace-normal">
          {children}
        </div>
      )}
    </div>
  )
}
