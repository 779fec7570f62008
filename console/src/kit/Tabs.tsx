/**
 * Parts of a page of which one is shown, according to the URL. Each tab is a link, so that it can be opened in a new
 * tab.
 */
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { cn } from './cn.ts'

type Props = {
  children?: ReactNode
  label: string
  value: string
  options: readonly { value: string; label: string }[]
  param?: string
}

export function Tabs({ label, value, options, param = 'tab', children }: Props) {
  return (
    <div className="mb-3 flex flex-wrap items-end justify-between gap-x-4 gap-y-2 border-line border-b">
      <nav aria-label={label} className="-mb-px flex min-w-0 gap-1 overflow-x-auto">
        {options.map((option) => (
          <Link
            key={option.value}
            to="."
            search={((before: Record<string, unknown>) => ({ ...before, [param]: option.value })) as never}
            resetScroll={false}
            aria-current={option.value === value ? 'page' : undefined}
            className={cn(
              'flex h-9 items-center whitespace-nowrap border-b-2 px-2.5 hover:text-ink pointer-coarse:h-11',
              option.value === value ? 'border-accent font-medium text-ink' : 'border-transparent text-ink-2',
            )}
          >
            {option.label}
          </Link>
        ))}
      </nav>
      {children && <div className="flex flex-wrap items-center gap-2 pb-2">{children}</div>}
    </div>
  )
}
