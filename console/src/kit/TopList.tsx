/** The most frequent values, with bars; each may be filtered for, excluded, looked up, or turned into a rule. */
import { Download, Ellipsis } from 'lucide-react'
import { type ComponentProps, lazy, type ReactNode, Suspense, useState } from 'react'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'
import { Button, IconButton } from './Button.tsx'
import { cn } from './cn.ts'
import { Panel } from './Panel.tsx'

const TopListMenu = lazy(() => import('./TopListMenu.tsx').then((file) => ({ default: file.TopListMenu })))

/** The actions on a row's value, in display order. */
export type RowAction = { key: string; label: string; run: (name: string) => void }

type Props = {
  title: string
  unit: string
  rows: readonly { name: string; value: number }[] | undefined
  /** How a name is shown; unchanged by default. */
  nameOf?: (name: string) => string
  /** Names are words, set in the page's font; others are addresses and URLs. */
  isWords?: boolean
  format?: (value: number) => string
  actions?: readonly RowAction[]
  /** Downloads all rows. */
  onDownload?: () => void
  aside?: ReactNode
  /** Shown if there are no rows. */
  empty?: ReactNode
  note?: ReactNode
  className?: string
}

export function TopList(props: Props) {
  const {
    title,
    unit,
    rows,
    nameOf = (name) => name,
    actions = [],
    isWords,
    onDownload,
    aside,
    empty,
    note,
    className,
  } = props
  const t = usePhrases('kit')
  const format = useFormat()
  const show = props.format ?? format.compact
  const most = Math.max(1, ...(rows ?? []).map(({ value }) => value))
  return (
    <Panel
      title={title}
      {...(className ? { className } : {})}
      aside={
        <>
          {aside}
          <span className="text-xs">{unit}</span>
          {onDownload && (rows?.length ?? 0) > 0 && (
            <IconButton size="iconSm" label={t('chart.csv', { name: title })} onClick={onDownload}>
              <Download size={14} aria-hidden />
            </IconButton>
          )}
        </>
      }
    >
      {rows === undefined && <div className="skeleton appear-late h-40" />}
      {rows?.length === 0 && <div className="py-8 text-center text-ink-3">{empty ?? t('chart.empty')}</div>}
      <ul>
        {rows?.map(({ name, value }) => (
          <li
            key={name}
            className="group relative flex min-h-7 items-center justify-between gap-3 rounded-[5px] px-2 hover:bg-sunken focus-within:bg-sunken pointer-coarse:min-h-11"
          >
            <span
              aria-hidden
              className="absolute inset-y-0.5 left-0 rounded-[4px] bg-accent-bg"
              style={{ width: `${(value / most) * 100}%` }}
            />
            <span className={cn('relative min-w-0 truncate', !isWords && 'mono')} title={nameOf(name)}>
              {nameOf(name) || '–'}
            </span>
            <span
              className={cn(
                'num relative ml-auto shrink-0',
                actions.length > 0 && 'pointer-fine:group-focus-within:invisible pointer-fine:group-hover:invisible',
              )}
            >
              {show(value)}
            </span>
            {name && actions.length > 0 && <RowActions actions={actions} name={name} shown={nameOf(name)} />}
          </li>
        ))}
      </ul>
      {note && <p className="mt-2 text-ink-3 text-xs">{note}</p>}
    </Panel>
  )
}

/** Buttons for mouse and keyboard, a menu for touch. */
function RowActions({ actions, name, shown }: { actions: readonly RowAction[]; name: string; shown: string }) {
  const t = usePhrases('kit')
  return (
    <>
      <span className="absolute right-1.5 flex gap-1 opacity-0 transition-opacity group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:hidden">
        {actions.map(({ key, label, run }) => (
          <Button
            key={key}
            size="sm"
            className="h-[22px] bg-raised"
            aria-label={t('top.action', { action: label, name: shown })}
            onClick={() => run(name)}
          >
            {label}
          </Button>
        ))}
      </span>
      <span className="relative hidden pointer-coarse:block">
        <TouchMenu actions={actions} name={name} shown={shown} />
      </span>
    </>
  )
}

/** Loaded when it is opened by touch: mouse users never need it. */
function TouchMenu({ actions, name, shown }: { actions: readonly RowAction[]; name: string; shown: string }) {
  const t = usePhrases('kit')
  const [isWanted, setWanted] = useState(false)
  const button = (props: Pick<ComponentProps<typeof IconButton>, 'onClick' | 'aria-haspopup'>) => (
    <IconButton size="iconSm" label={t('top.action', { action: t('actions'), name: shown })} {...props}>
      <Ellipsis size={15} aria-hidden />
    </IconButton>
  )
  const closed = button({ 'aria-haspopup': 'menu', onClick: () => setWanted(true) })
  if (!isWanted) return closed
  const items = actions.map(({ key, label, run }) => ({ key, label, run: () => run(name) }))
  return (
    <Suspense fallback={closed}>
      <TopListMenu trigger={button({})} items={items} />
    </Suspense>
  )
}
