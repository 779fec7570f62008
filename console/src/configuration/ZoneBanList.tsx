/** The addresses that nodes have banned from all sites of a zone; their bans can be lifted. */
import { type ZoneBan, zoneBans } from '@breakwater/contract/nodes/zone-bans.ts'
import { z } from 'zod'
import { BulkConfirm } from '../kit/BulkConfirm.tsx'
import { Empty } from '../kit/Empty.tsx'
import { Panel } from '../kit/Panel.tsx'
import { type Column, ResourceTable } from '../kit/ResourceTable.tsx'
import { send } from '../platform/browser.ts'
import { useCall, useChange } from '../platform/calls.ts'
import { useFormat } from '../platform/format.ts'
import { useListState } from '../platform/list-state.ts'
import { usePhrases } from '../platform/phrases.ts'
import { ListSearch } from '../platform/search-state.ts'
import { useMay } from '../platform/session.ts'

const Search = ListSearch.extend({ sortBy: z.enum(['ip', 'createdAt', 'expired']).optional().catch(undefined) })

/** Bans begin and end without action on this page. */
const everyMs = 10_000

export function ZoneBanList({ zoneId }: { zoneId: number }) {
  const t = usePhrases('configuration')
  const mayWrite = useMay()('zones.write')
  const [state, go] = useListState('zone-bans', Search)
  const { page, pageSize, sortBy, orderBy } = state
  const question = { orderBy, ...(sortBy ? { sortBy } : {}) }
  const call = useCall(zoneBans.list, { zoneId, query: { page, pageSize, ...question } }, { everyMs })
  const columns = useColumns()
  const remove = useChange(zoneBans.remove, zoneBans.list)
  return (
    <Panel title={t('zoneBans')}>
      <p className="mb-2 max-w-[880px] text-ink-2">{t('zoneBans.help')}</p>
      <ResourceTable
        label={t('zoneBans.list')}
        list="zone-bans"
        call={call}
        columns={columns}
        rowKey={({ ip }) => ip}
        rowLabel={({ ip }) => ip}
        state={state}
        go={(patch) => go(patch as Partial<z.output<typeof Search>>)}
        readPage={(at, size) => send(zoneBans.list, { zoneId, query: { page: at, pageSize: size, ...question } })}
        bulk={
          mayWrite
            ? (rows, clear, run) => (
                <BulkConfirm
                  look="line"
                  label={t('zoneBans.lift')}
                  title={t('zoneBans.lift.title', { n: rows.length })}
                  consequence={t('zoneBans.lift.text')}
                  rows={rows}
                  rowKey={({ ip }) => ip}
                  rowName={({ ip }) => <span className="mono">{ip}</span>}
                  act={(chosen) => remove.mutateAsync({ zoneId, body: { ips: chosen.map(({ ip }) => ip) } })}
                  run={run}
                  clear={clear}
                  done={t('zoneBans.lifted')}
                />
              )
            : undefined
        }
        empty={<Empty title={t('zoneBans.empty')}>{t('zoneBans.emptyText')}</Empty>}
      />
    </Panel>
  )
}

function useColumns(): Column<ZoneBan>[] {
  const t = usePhrases('configuration')
  const format = useFormat()
  return [
    { key: 'ip', title: t('zoneBans.ip'), sort: true, render: ({ ip }) => <span className="mono">{ip}</span> },
    { key: 'cause', title: t('zoneBans.cause'), render: ({ cause }) => t(`zoneBans.cause.${cause}`) },
    {
      key: 'asked',
      title: t('zoneBans.asked'),
      render: ({ asked }) => <span className="mono wrap-anywhere text-xs">{asked}</span>,
    },
    {
      key: 'createdAt',
      title: t('zoneBans.since'),
      sort: true,
      render: ({ createdAt }) => <span className="text-ink-3">{format.ago(createdAt)}</span>,
    },
    {
      key: 'expired',
      title: t('zoneBans.left'),
      sort: true,
      render: ({ expired }) => (
        <span className="num" title={format.moment(expired)}>
          {format.duration(Math.max(0, (Date.parse(expired) - Date.now()) / 1000))}
        </span>
      ),
    },
    { key: 'node', title: t('zoneBans.node'), render: ({ node }) => node },
  ]
}
