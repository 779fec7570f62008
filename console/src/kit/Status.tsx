/** State in words: a dot with its word, a tinted badge, a neutral tag. Never colour alone. */
import type { ReactNode } from 'react'
import { cn } from './cn.ts'

export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'mute'

const dots: Record<Tone, string> = {
  ok: 'text-ok',
  warn: 'text-warn',
  bad: 'text-bad',
  info: 'text-info',
  mute: 'text-ink-3',
}
const tints: Record<Tone, string> = {
  ok: 'bg-ok-bg text-ok',
  warn: 'bg-warn-bg text-warn',
  bad: 'bg-bad-bg text-bad',
  info: 'bg-info-bg text-info',
  mute: 'bg-mute text-ink-2',
}

/** A ring instead of a dot says that it is going on; a whole sentence may take several lines. */
export function Status(props: { tone: Tone; going?: boolean; wraps?: boolean; children: ReactNode }) {
  const { tone, going, wraps, children } = props
  return (
    <span
      className={cn('status inline-flex items-center gap-1.5', !wraps && 'whitespace-nowrap', dots[tone])}
      data-ring={going || undefined}
    >
      <span className="text-ink">{children}</span>
    </span>
  )
}

export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span
      className={cn(
        'inline-flex h-5 items-center rounded-tag px-1.5 font-medium text-xs whitespace-nowrap',
        tints[tone],
      )}
    >
      {children}
    </span>
  )
}

export function Tag({ children }: { children: ReactNode }) {
  return (
    <span className="inline-flex h-5 items-center rounded-tag bg-mute px-1.5 text-ink-2 text-xs whitespace-nowrap">
      {children}
    </span>
  )
}

export function Tags({ values }: { values: readonly string[] }) {
  return (
    <span className="inline-flex flex-wrap gap-1">
      {values.map((value) => (
        <Tag key={value}>{value}</Tag>
      ))}
    </span>
  )
}
