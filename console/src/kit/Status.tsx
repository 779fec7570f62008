/** State in words: a dot with its word, a tinted badge, a neutral tag. Never by colour alone. */
import type { ReactNode } from 'react'
import { cn } from './cn.ts'

export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'mute'

const dots: Record<Tone, string> = {
  ok: 'before:text-ok',
  warn: 'before:text-warn',
  bad: 'before:text-bad',
  info: 'before:text-info',
  mute: 'before:text-ink-3',
}
const tints: Record<Tone, string> = {
  ok: 'bg-ok-bg text-ok',
  warn: 'bg-warn-bg text-warn',
  bad: 'bg-bad-bg text-bad',
  info: 'bg-info-bg text-info',
  mute: 'bg-mute text-ink-2',
}

/** A ring instead of a dot means in progress; a whole sentence may wrap. */
export function Status(props: { tone: Tone; going?: boolean; wraps?: boolean; children: ReactNode }) {
  const { tone, going, wraps, children } = props
  return (
    <span
      className={cn(
        'status inline-flex gap-1.5 text-ink',
        // With several lines, the dot belongs to the first.
        wraps ? 'items-start before:mt-[0.5lh] before:-translate-y-1/2' : 'items-center whitespace-nowrap',
        dots[tone],
      )}
      data-ring={going || undefined}
    >
      {/* Plain text needs no element of its own: a list shows hundreds of these. */}
      {typeof children === 'string' ? children : <span>{children}</span>}
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

/** `few` is for table cells: one line, and the number of those left out. */
export function Tags({ values, few = false }: { values: readonly string[]; few?: boolean }) {
  // Renders nothing at all, so that the card of a row omits the line.
  if (values.length === 0) return null
  const shown = few ? values.slice(0, fewTags) : values
  return (
    <span className={cn('inline-flex gap-1', !few && 'flex-wrap')} title={few ? values.join(', ') : undefined}>
      {shown.map((value) => (
        <Tag key={value}>{value}</Tag>
      ))}
      {shown.length < values.length && <span className="num text-ink-3 text-xs">+{values.length - shown.length}</span>}
    </span>
  )
}

const fewTags = 3
