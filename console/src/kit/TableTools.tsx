/**
 * A person's own look of a list: its columns, their order, its density; on a phone also the sort order, as cards have
 * no head.
 */
import { ArrowDown, ArrowUp, Settings2 } from 'lucide-react'
import { memo, useId } from 'react'
import { arranged, densities, type ListLook } from '../platform/list-look.ts'
import { usePhrases } from '../platform/phrases.ts'
import { Button, IconButton } from './Button.tsx'
import { Popover } from './Overlay.tsx'
import { Select } from './Select.tsx'
import { Checkbox, Segments } from './Toggle.tsx'
import type { Column, Go, ListState } from './table-column.ts'

type Props<Row> = {
  columns: readonly Column<Row>[]
  look: ListLook
  keep: (look: ListLook) => void
  state: ListState | undefined
  go: Go | undefined
}

function Draw<Row>({ columns, look, keep, state, go }: Props<Row>) {
  const t = usePhrases('kit')
  return (
    <Popover
      label={t('look')}
      align="end"
      className="w-[280px] overflow-y-auto p-3"
      trigger={
        <IconButton size="iconSm" label={t('look')}>
          <Settings2 size={14} aria-hidden />
        </IconButton>
      }
    >
      <div className="grid gap-3">
        {state && go && <PhoneSort columns={columns} state={state} go={go} />}
        <div className="max-sm:hidden">
          <p className="mb-1.5 text-ink-3 text-xs">{t('density')}</p>
          <Segments
            label={t('density')}
            value={look.density}
            onChange={(density) => keep({ ...look, density })}
            options={densities.map((value) => ({ value, label: t(`density.${value}`) }))}
          />
        </div>
        <div>
          <p className="mb-1 text-ink-3 text-xs">{t('columns')}</p>
          <ColumnList columns={columns} look={look} keep={keep} />
        </div>
        <Button size="sm" onClick={() => keep({ ...look, hidden: [], order: [], density: 'normal' })}>
          {t('look.reset')}
        </Button>
      </div>
    </Popover>
  )
}

/** Renders again only when the list's columns or state changed, not with each selected row. */
export const TableTools = memo(Draw) as typeof Draw

function ColumnList<Row>({ columns, look, keep }: Pick<Props<Row>, 'columns' | 'look' | 'keep'>) {
  const t = usePhrases('kit')
  const id = useId()
  const all = arranged(columns, look)
  function move(index: number, by: -1 | 1) {
    const order = all.map(({ key }) => key)
    const [key] = order.splice(index, 1)
    order.splice(index + by, 0, key!)
    keep({ ...look, order })
  }
  function show(key: string, on: boolean) {
    keep({ ...look, hidden: on ? look.hidden.filter((one) => one !== key) : [...look.hidden, key] })
  }
  return (
    <ul className="-mx-1 max-h-[320px] overflow-y-auto px-1">
      {all.map(({ key, title }, index) => (
        <li key={key} className="flex min-h-8 items-center gap-2">
          <Checkbox
            aria-labelledby={`${id}-${key}`}
            checked={index === 0 || !look.hidden.includes(key)}
            disabled={index === 0}
            onCheckedChange={(on) => show(key, on)}
          />
          <span id={`${id}-${key}`} className="min-w-0 flex-1 truncate">
            {title}
          </span>
          {index > 0 && (
            <>
              <IconButton
                size="iconSm"
                label={t('columns.up', { name: title })}
                disabled={index === 1}
                onClick={() => move(index, -1)}
              >
                <ArrowUp size={13} aria-hidden />
              </IconButton>
              <IconButton
                size="iconSm"
                label={t('columns.down', { name: title })}
                disabled={index === all.length - 1}
                onClick={() => move(index, 1)}
              >
                <ArrowDown size={13} aria-hidden />
              </IconButton>
            </>
          )}
        </li>
      ))}
    </ul>
  )
}

function PhoneSort<Row>({ columns, state, go }: { columns: readonly Column<Row>[]; state: ListState; go: Go }) {
  const t = usePhrases('kit')
  const sortable = columns.filter(({ sort }) => sort)
  if (sortable.length === 0) return null
  return (
    <div className="grid gap-2 sm:hidden">
      <Select
        label={t('sortBy')}
        value={state.sortBy ?? ''}
        onChange={(sortBy) => go({ sortBy: sortBy || undefined, page: 1 })}
        options={[
          { value: '', label: t('sortBy') },
          ...sortable.map(({ key, title }) => ({ value: key, label: title })),
        ]}
      />
      <Segments
        label={t('sortBy')}
        value={state.orderBy}
        onChange={(orderBy) => go({ orderBy, page: 1 })}
        options={[
          { value: 'asc', label: t('sort.asc') },
          { value: 'desc', label: t('sort.desc') },
        ]}
      />
    </div>
  )
}
