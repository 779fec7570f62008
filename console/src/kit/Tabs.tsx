/** Parts of a page of which one shows. The address says which; each is a link, so that it can be opened elsewhere. */
import { Link } from '@tanstack/react-router'
import { cn } from './cn.ts'

type Props = { label: string; value: string; options: readonly { value: string; label: string }[]; param?: string }

export function Tabs({ label, value, options, param = 'tab' }: Props) {
  return (
    <nav aria-label={label} className="mb-3 flex gap-1 overflow-x-auto border-line border-b">
      {options.map((option) => (
        <Link
          key={option.value}
          to="."
          search={((before: Record<string, unknown>) => ({ ...before, [param]: option.value })) as never}
          resetScroll={false}
          aria-current={option.value === value ? 'page' : undefined}
          className={cn(
            '-mb-px flex h-9 items-center whitespace-nowrap border-transparent border-b-2 px-2.5 text-ink-2 hover:text-ink pointer-coarse:h-11',
            option.value === value && 'border-accent font-medium text-ink',
          )}
        >
          {option.label}
        </Link>
      ))}
    </nav>
  )
}
