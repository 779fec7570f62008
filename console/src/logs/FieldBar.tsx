/**
 * The fields of the log with their most frequent values under the current filter; each value may be filtered for or
 * excluded.
 */
import { type FacetField, facetFields, logExplorer } from '@breakwater/contract/logs/explorer.ts'
import { Ban, ChevronDown, ChevronRight, Filter as FilterIcon, ListFilter } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '../kit/Button.tsx'
import { Failed } from '../kit/faults.tsx'
import { logWord } from '../pickers/log-words.ts'
import { useCall } from '../platform/calls.ts'
import { useCountryName } from '../platform/countries.ts'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'
import type { Asked } from './explorer-state.ts'

type OnFilter = (field: string, value: string, not: boolean) => void
const openAtFirst: FacetField[] = ['action', 'status', 'ip', 'country', 'hostPath']
const few = 5
/** Anything smaller but present must not be shown as zero. */
const leastShare = 0.001
const many = 20
/** Fields in which 0 means none. */
const zeroIsNone: ReadonlySet<FacetField> = new Set(['cause', 'rule', 'originStatus', 'asn'])

export function FieldBar({ asked, onFilter }: { asked: Asked; onFilter: OnFilter }) {
  const t = usePhrases('logs')
  const [isShown, setShown] = useState(false)
  const [open, setOpen] = useState<readonly FacetField[]>(openAtFirst)
  const [long, setLong] = useState<readonly FacetField[]>([])
  const flip = (list: readonly FacetField[], field: FacetField) =>
    list.includes(field) ? list.filter((one) => one !== field) : [...list, field]
  return (
    <aside aria-label={t('fields.title')} className="min-w-0 lg:w-[252px] lg:shrink-0">
      <Button className="mb-2 w-full lg:hidden" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
        <ListFilter size={14} aria-hidden />
        {t(isShown ? 'fields.hide' : 'fields.show')}
      </Button>
      <ul
        // As tall as the rows beside it, which have their own scroll bar too.
        className={`overflow-hidden rounded-panel border border-line bg-surface max-lg:mb-2.5 lg:max-h-[max(454px,calc(100dvh-326px))] lg:overflow-y-auto ${isShown ? '' : 'max-lg:hidden'}`}
      >
        {facetFields.map((field) => {
          const isOpen = open.includes(field)
          return (
            <li key={field} className="border-line border-b last:border-b-0">
              <button
                type="button"
                aria-expanded={isOpen}
                className="flex min-h-[34px] w-full items-center gap-1.5 px-2.5 text-left font-medium hover:bg-sunken focus-visible:-outline-offset-2 pointer-coarse:min-h-11"
                onClick={() => setOpen(flip(open, field))}
              >
                {isOpen ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}
                {t(field)}
              </button>
              {isOpen && (
                <Values
                  field={field}
                  asked={asked}
                  top={long.includes(field) ? many : few}
                  onTop={() => setLong(flip(long, field))}
                  onFilter={onFilter}
                />
              )}
            </li>
          )
        })}
      </ul>
    </aside>
  )
}

type ValuesProps = { field: FacetField; asked: Asked; top: number; onTop: () => void; onFilter: OnFilter }

function Values({ field, asked, top, onTop, onFilter }: ValuesProps) {
  const t = usePhrases('logs')
  const format = useFormat()
  const nameOf = useValueName()
  const call = useCall(logExplorer.facets, { body: { ...asked, fields: [field], top } })
  if (call.isError && !call.data) return <Failed fault={call.error} retry={() => call.refetch()} />
  const facet = call.data?.[0]
  if (!facet) return <div className="skeleton appear-late mx-2.5 mb-2 h-16" />
  const isLong = top === many
  // Pages of a single host differ only in their paths; the host would just hide them.
  const hosts = new Set(field === 'hostPath' ? facet.values.map(({ value }) => value.split('/')[0]) : [])
  return (
    <div className="px-1.5 pb-2">
      {facet.values.length === 0 && <p className="px-1.5 text-ink-3 text-xs">{t('fields.none')}</p>}
      <ul>
        {facet.values.map(({ value, label, requests }) => {
          const name = nameOf(field, value, label)
          const shown = hosts.size === 1 ? name.slice(name.indexOf('/')) : name
          return (
            <li
              key={value}
              className="group relative flex min-h-7 items-center gap-2 rounded-[5px] px-1.5 text-xs hover:bg-sunken focus-within:bg-sunken pointer-coarse:min-h-11"
            >
              <span
                aria-hidden
                className="absolute bottom-0.5 left-1.5 h-[2px] rounded-full bg-accent/60"
                style={{ width: `calc((100% - 12px) * ${requests / facet.total})` }}
              />
              <span className="min-w-0 flex-1 truncate" title={name}>
                {shown}
              </span>
              <span className="num shrink-0 text-ink-3" title={format.number(requests)}>
                {requests / facet.total < leastShare
                  ? `<${format.percent(leastShare)}`
                  : format.percent(requests / facet.total)}
              </span>
              {value !== '' && (
                <FilterPair field={t(field)} name={name} onFilter={(not) => onFilter(field, value, not)} />
              )}
            </li>
          )
        })}
      </ul>
      {facet.distinct > few && (
        <Button size="sm" look="ghost" className="mt-0.5 text-ink-3 text-xs" onClick={onTop}>
          {isLong ? t('fields.fewer') : t('fields.more', { n: facet.distinct })}
        </Button>
      )}
    </div>
  )
}

/** Filter for, and exclude: always visible, because touch has no hover. */
export function FilterPair({
  field,
  name,
  onFilter,
}: {
  field: string
  name: string
  onFilter: (not: boolean) => void
}) {
  const t = usePhrases('kit')
  return (
    <span className="flex shrink-0">
      <IconButton size="iconSm" label={`${t('filter.only')}: ${field} ${name}`} onClick={() => onFilter(false)}>
        <FilterIcon size={12} aria-hidden />
      </IconButton>
      <IconButton size="iconSm" label={`${t('filter.exclude')}: ${field} ${name}`} onClick={() => onFilter(true)}>
        <Ban size={12} aria-hidden />
      </IconButton>
    </span>
  )
}

function useValueName() {
  const t = usePhrases('logs')
  const countryOf = useCountryName()
  return (field: FacetField, value: string, label: string): string => {
    if (value === '' || (value === '0' && zeroIsNone.has(field))) return t('fields.empty')
    if (field === 'country') return countryOf(value)
    const word = logWord(field, value, t)
    return word === value ? label : word
  }
}
