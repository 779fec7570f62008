/**
 * The nodes of a zone: their load, how far their configuration is, and what they failed to apply. Refreshed every five
 * seconds.
 */
import { nodes, type ZoneNode } from '@breakwater/contract/nodes/nodes.ts'
import { useState } from 'react'
import { z } from 'zod'
import { Button } from '../kit/Button.tsx'
import { Empty } from '../kit/Empty.tsx'
import { Failed } from '../kit/faults.tsx'
import { SearchInput } from '../kit/Input.tsx'
import { PageHead } from '../kit/PageHead.tsx'
import { Panel } from '../kit/Panel.tsx'
import { ResourceTable } from '../kit/ResourceTable.tsx'
import { Select } from '../kit/Select.tsx'
import { useCall } from '../platform/calls.ts'
import { useFormat } from '../platform/format.ts'
import { useListState } from '../platform/list-state.ts'
import { usePhrases } from '../platform/phrases.ts'
import { ListSearch } from '../platform/search-state.ts'
import { useMay } from '../platform/session.ts'
import { EnrolDialog } from './EnrolDialog.tsx'
import { NodeDrawer } from './NodeDrawer.tsx'
import { NodeFilters } from './NodeFilters.tsx'
import { nodeColumns } from './node-columns.tsx'
import { Rollouts } from './Rollouts.tsx'
import { WaitingNodes } from './WaitingNodes.tsx'

const everyMs = 5_000
const Search = ListSearch.extend({
  zone: z.number().int().positive().optional().catch(undefined),
  value: z.string().catch(''),
  portType: z.literal([4, 7]).optional().catch(undefined),
  version: z.string().catch(''),
})

export function NodesScreen() {
  const t = usePhrases('nodes')
  const format = useFormat()
  const may = useMay()
  const [isEnrolling, setEnrolling] = useState(false)
  const [state, go] = useListState('nodes', Search)
  const { page, pageSize, value, portType, version, edit } = state
  const known = useCall(nodes.metaZones, {})
  const zones = known.data?.data ?? []
  const zone = zones.find(({ id }) => id === state.zone) ?? zones[0]
  const zoneId = zone?.id ?? 0
  const call = useCall(
    nodes.zoneNodes,
    {
      zoneId,
      query: {
        page,
        pageSize,
        ...(value !== '' && { value }),
        ...(portType && { portType }),
        ...(version && { version }),
      },
    },
    { everyMs, enabled: zone !== undefined },
  )
  const opened = call.data?.data.find(({ id }) => id === edit)
  const enrol = may('nodes.enrol') && zone && (
    <Button look="solid" onClick={() => setEnrolling(true)}>
      {t('enrol')}
    </Button>
  )
  return (
    <>
      <PageHead title={t('nodes')} help={t('nodes.help')}>
        {zone && (
          <Select
            label={t('zone')}
            named
            value={zoneId}
            onChange={(next) => go({ zone: next, page: 1 })}
            options={zones.map(({ id, name }) => ({ value: id, label: name }))}
          />
        )}
        {enrol}
      </PageHead>
      {zone && <WaitingNodes zone={zone} />}
      <Rollouts />
      {known.isError && !known.data && <Failed fault={known.error} retry={() => known.refetch()} />}
      {known.data && !zone && (
        <Panel className="py-14 text-center">
          <Empty title={t('zones.empty')} />
        </Panel>
      )}
      {(zone || known.isPending) && (
        <div className="mb-2.5 flex flex-wrap items-center gap-2">
          <SearchInput
            label={t('nodes.search')}
            value={value}
            onChange={(text) => go({ value: text, page: 1 }, { replace: true })}
          />
          <NodeFilters zoneId={zoneId} chosen={{ portType, version }} go={(patch) => go({ ...patch, page: 1 })} />
        </div>
      )}
      {(zone || known.isPending) && (
        <ResourceTable<ZoneNode>
          label={t('nodes')}
          list="nodes"
          call={call}
          columns={nodeColumns(t, format, (id) => go({ edit: id }))}
          rowKey={({ id }) => id}
          rowLabel={({ name }) => name}
          state={state}
          go={go}
          onOpen={({ id }) => go({ edit: id })}
          clearFilters={
            value === '' && version === '' && portType === undefined
              ? undefined
              : () => go({ value: '', version: '', portType: undefined, page: 1 })
          }
          empty={
            <Empty title={t('nodes.empty')} action={enrol}>
              {t('nodes.emptyText')}
            </Empty>
          }
        />
      )}
      {opened && <NodeDrawer key={opened.id} zoneId={zoneId} node={opened} onClose={() => go({ edit: undefined })} />}
      {isEnrolling && zone && <EnrolDialog zone={zone} onClose={() => setEnrolling(false)} />}
    </>
  )
}
