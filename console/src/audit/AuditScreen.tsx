/** The audit log: search by who, what, when and where, read single entries, export as a file. */
import { type AuditEntry, type AuditFilter, auditLog } from '@breakwater/contract/audit/audit.ts'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { z } from 'zod'
import { Button } from '../kit/Button.tsx'
import { DateTimeRange, type Moments } from '../kit/DateTimeRange.tsx'
import { Empty } from '../kit/Empty.tsx'
import { type Filter, FilterBar } from '../kit/FilterBar.tsx'
import { laterFloat } from '../kit/later-float.tsx'
import { Popover } from '../kit/Overlay.tsx'
import { PageHead } from '../kit/PageHead.tsx'
import { ResourceTable } from '../kit/ResourceTable.tsx'
import { Segments } from '../kit/Toggle.tsx'
import { startJob, useJob } from '../kit/useJob.ts'
import { ListViews } from '../pickers/ListViews.tsx'
import { useCall } from '../platform/calls.ts'
import { download } from '../platform/download.ts'
import { useFormat } from '../platform/format.ts'
import { useListState } from '../platform/list-state.ts'
import { usePhrases } from '../platform/phrases.ts'
import { ListSearch } from '../platform/search-state.ts'
import { auditColumns } from './audit-columns.tsx'

const EntryDrawer = laterFloat('drawer', () => import('./EntryDrawer.tsx').then((file) => file.EntryDrawer))

const hours = { '1h': 1, '24h': 24, '7d': 168, '30d': 720 } as const
const ranges = ['all', '1h', '24h', '7d', '30d'] as const
const texts = ['accountName', 'proxyName', 'action', 'method', 'url', 'reqID'] as const
const Text = z.string().max(256).catch('')
const Moment = z.number().int().positive().optional().catch(undefined)
const Search = ListSearch.extend({
  /** Epoch seconds; they take precedence over the range. */
  from: Moment,
  to: Moment,
  range: z.enum(ranges).catch('all'),
  accountName: Text,
  proxyName: Text,
  action: Text,
  method: Text,
  url: Text,
  reqID: Text,
})
type State = z.output<typeof Search>
const unfiltered = Object.fromEntries(texts.map((name) => [name, ''])) as Record<(typeof texts)[number], string>
/** The export takes long and continues while the user visits other pages. */
const exportJob = 'export/audit'
const methods = ['POST', 'PUT', 'PATCH', 'DELETE'] as const

/**
 * The server's filter: only what was filled in. A range starts at a full minute, so that the page's query key stays the
 * same.
 */
function filterOf(state: State): z.input<typeof AuditFilter> {
  const filled = Object.fromEntries(texts.filter((name) => state[name]).map((name) => [name, state[name]]))
  if (state.from !== undefined && state.to !== undefined) return { ...filled, startTime: state.from, endTime: state.to }
  if (state.range === 'all') return filled
  return { ...filled, startTime: Math.floor(Date.now() / 60_000) * 60 - hours[state.range] * 3600 }
}

export function AuditScreen() {
  const t = usePhrases('audit')
  const format = useFormat()
  const [state, go] = useListState('audit', Search)
  const isExporting = useJob(exportJob)?.isOver === false
  const { page, pageSize, edit } = state
  const filter = filterOf(state)
  const call = useCall(auditLog.list, { body: { ...filter, page, pageSize } })
  const opened = call.data?.data.find(({ id }) => id === edit)
  const filters: Filter[] = texts
    .filter((name) => state[name])
    .map((name) => ({ field: name, not: false, values: [state[name]] }))
  const apply = (next: Filter[]) =>
    go({
      ...unfiltered,
      ...Object.fromEntries(next.map(({ field, values }) => [field, values.at(-1) ?? ''])),
      page: 1,
    })
  const exportAll = () =>
    startJob({
      id: exportJob,
      async run() {
        await download(auditLog.export, { body: filter })
        return { said: t('exported') }
      },
    })
  return (
    <>
      <PageHead title={t('title')} help={t('help')}>
        <Button busy={isExporting} onClick={exportAll} title={t('export.help')}>
          <Download size={14} aria-hidden />
          {t(isExporting ? 'exporting' : 'export')}
        </Button>
      </PageHead>
      <FilterBar
        views={<ListViews list="audit" />}
        filters={filters}
        onChange={apply}
        fields={texts.map((field) => ({
          field,
          label: t(field),
          noNot: true,
          ...(field === 'method' ? { options: methods.map((value) => ({ value, label: value })) } : {}),
        }))}
      >
        <Segments
          label={t('range.label')}
          value={state.range}
          onChange={(range) => go({ range, from: undefined, to: undefined, page: 1 })}
          options={ranges.map((value) => ({ value, label: t(`range.${value}`) }))}
          className="max-w-full overflow-x-auto"
        />
        <Between state={state} go={go} />
      </FilterBar>
      <ResourceTable<AuditEntry>
        label={t('title')}
        list="audit"
        call={call}
        columns={auditColumns(t, format, (id) => go({ edit: id }))}
        rowKey={({ id }) => id}
        rowLabel={({ action }) => action}
        state={state}
        go={(patch) => go(patch as Partial<State>)}
        isWide
        isCapped={call.data?.isMore === true}
        onOpen={({ id }) => go({ edit: id })}
        clearFilters={
          filters.length > 0 || state.range !== 'all' || state.from !== undefined
            ? () => go({ ...unfiltered, range: 'all', from: undefined, to: undefined, page: 1 })
            : undefined
        }
        empty={<Empty title={t('empty')} />}
      />
      {opened && <EntryDrawer key={opened.id} entry={opened} onClose={() => go({ edit: undefined })} />}
    </>
  )
}

const dayS = 24 * 3600

/** A period of time whose two ends are typed. */
function Between({ state: { from, to }, go }: { state: State; go: (patch: Partial<State>) => void }) {
  const t = usePhrases('audit')
  const format = useFormat()
  const [isOpen, setOpen] = useState(false)
  const now = Math.floor(Date.now() / 60_000) * 60
  const [chosen, setChosen] = useState<Moments>()
  const isSet = from !== undefined && to !== undefined
  return (
    <Popover
      open={isOpen}
      onOpenChange={setOpen}
      label={t('between')}
      className="w-64 p-3"
      trigger={
        <Button aria-pressed={isSet}>
          {isSet ? `${format.dayClock(from * 1000)} – ${format.dayClock(to * 1000)}` : t('between')}
        </Button>
      }
    >
      <DateTimeRange start={{ from: from ?? now - dayS, to: to ?? now }} onChange={setChosen} />
      <Button
        look="solid"
        className="mt-3 w-full"
        disabled={chosen === undefined}
        onClick={() => {
          go({ ...chosen, page: 1 })
          setOpen(false)
        }}
      >
        {t('between.show')}
      </Button>
    </Popover>
  )
}
