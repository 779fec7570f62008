/** Filter chips: a field is, or is not, one of some values. Each chip can be removed, and a new one added. */
import { Plus, X } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { usePhrases } from '../platform/phrases.ts'
import { Button, IconButton } from './Button.tsx'
import { cn } from './cn.ts'
import { Input } from './Input.tsx'
import { Popover } from './Overlay.tsx'
import { type Option, Select } from './Select.tsx'
import { Segments } from './Toggle.tsx'

export type Filter = { field: string; not: boolean; values: readonly string[] }
/**
 * With options, the value is selected; otherwise it is typed, and displayed by its `nameOf`. `noNot` means that the
 * field cannot be excluded.
 */
export type FilterField = {
  field: string
  label: string
  options?: readonly Option<string>[]
  nameOf?: (value: string) => string
  noNot?: boolean
}

type Props = {
  fields: readonly FilterField[]
  /** Whether the filter menu is open initially, because the press that loaded it asked for it. */
  startsOpen?: boolean
  filters: readonly Filter[]
  onChange: (filters: Filter[]) => void
  /** The named views of the list. */
  views?: ReactNode
  children?: ReactNode
}

/** Adds a value to the chip with the same field and sign, or creates the chip. */
export function withFilter(filters: readonly Filter[], field: string, value: string, not: boolean): Filter[] {
  const rest = filters.filter((filter) => filter.field !== field || filter.not !== not)
  const same = filters.find((filter) => filter.field === field && filter.not === not)
  return [...rest, { field, not, values: [...new Set([...(same?.values ?? []), value])] }]
}

export function FilterBar({ fields, filters, onChange, startsOpen = false, views, children }: Props) {
  const t = usePhrases('kit')
  const labelOf = (field: string) => fields.find((one) => one.field === field)?.label ?? field
  function textOf(field: string, value: string): string {
    const { options, nameOf } = fields.find((one) => one.field === field) ?? {}
    return options?.find((option) => option.value === value)?.label ?? nameOf?.(value) ?? value
  }
  return (
    <div className="mb-2.5 flex flex-wrap items-center gap-2">
      {children}
      {filters.map((filter) => (
        <span
          key={`${filter.field}-${filter.not}`}
          className="inline-flex h-7 max-w-full items-center divide-x divide-line overflow-hidden rounded-control border border-line bg-surface"
        >
          <span className="px-2 text-ink-3">{labelOf(filter.field)}</span>
          <span className={cn('min-w-0 truncate px-2', filter.not && 'text-bad')}>
            {t(filter.not ? 'filter.isNot' : 'filter.is')}{' '}
            {filter.values.map((value) => textOf(filter.field, value)).join(', ')}
          </span>
          <IconButton
            size="iconSm"
            className="rounded-none border-y-0"
            label={t('filter.remove', { name: labelOf(filter.field) })}
            onClick={() => onChange(filters.filter((one) => one !== filter))}
          >
            <X size={13} aria-hidden />
          </IconButton>
        </span>
      ))}
      <AddFilter
        fields={fields}
        startsOpen={startsOpen}
        onAdd={(field, value, not) => onChange(withFilter(filters, field, value, not))}
      />
      {filters.length > 0 && (
        <Button size="sm" look="ghost" onClick={() => onChange([])}>
          {t('filter.clear')}
        </Button>
      )}
      {views}
    </div>
  )
}

type AddProps = {
  fields: readonly FilterField[]
  startsOpen: boolean
  onAdd: (field: string, value: string, not: boolean) => void
}

function AddFilter({ fields, startsOpen, onAdd }: AddProps) {
  const t = usePhrases('kit')
  const [open, setOpen] = useState(startsOpen)
  const [field, setField] = useState(fields[0]!.field)
  const [not, setNot] = useState<'is' | 'not'>('is')
  const [value, setValue] = useState('')
  const chosen = fields.find((one) => one.field === field)!
  const shown = value || (chosen.options?.[0]?.value ?? '')
  function add(event: FormEvent) {
    event.preventDefault()
    if (shown.trim() === '') return
    onAdd(field, shown.trim(), not === 'not' && !chosen.noNot)
    setValue('')
    setOpen(false)
  }
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      label={t('filter.add')}
      className="w-[300px] p-3"
      trigger={
        <Button size="sm" look="ghost" className="h-7 border-line-strong border-dashed">
          <Plus size={13} aria-hidden />
          {t('filter.add')}
        </Button>
      }
    >
      <form onSubmit={add} className="grid gap-2">
        <Select
          label={t('filter.add')}
          value={field}
          onChange={(next) => {
            setField(next)
            setValue('')
          }}
          options={fields.map(({ field: name, label }) => ({ value: name, label }))}
        />
        {!chosen.noNot && (
          <Segments
            label={t('filter.add')}
            value={not}
            onChange={setNot}
            options={[
              { value: 'is', label: t('filter.is') },
              { value: 'not', label: t('filter.isNot') },
            ]}
          />
        )}
        {chosen.options ? (
          <Select label={t('filter.value')} value={shown} onChange={setValue} options={chosen.options} />
        ) : (
          <Input aria-label={t('filter.value')} value={value} onChange={(event) => setValue(event.target.value)} />
        )}
        <Button look="solid" type="submit">
          {t('filter.apply')}
        </Button>
      </form>
    </Popover>
  )
}
