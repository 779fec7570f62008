/** The nodes of a zone: their load, how far their configuration is, what they could not apply. Every five seconds (rules G10). */
import { nodes, type ZoneNode } from '@breakwater/contract/nodes/nodes.ts'
import { useState } from 'react'
import { z } from 'zod'
import { useCall } from '../app/calls.ts'
import { useFormat } from '../app/format.ts'
import { useListState } from '../app/list-state.ts'
import { usePhrases } from '../app/phrases.ts'
import { ListSearch } from '../app/search-state.ts'
import { useMay } from '../app/session.ts'
import { Button } from '../kit/Button.tsx'
import { Empty } from '../kit/Empty.tsx'
import { Failed } from '../kit/faults.tsx'
import { PageHead } from '../kit/PageHead.tsx'
import { Panel } from '../kit/Panel.tsx'
import { ResourceTable } from '../kit/ResourceTable.tsx'
import { Select } from '../kit/Select.tsx'
import { EnrolDialog } from './EnrolDialog.tsx'
import { NodeDrawer } from './NodeDrawer.tsx'
import { nodeColumns } from './node-columns.tsx'
import { Rollouts } from './Rollouts.tsx'
import { WaitingNodes } from './WaitingNodes.tsx'

const everyMs = 5_000
const Search = ListSearch.extend({ zone: z.number().int().positive().optional().catch(undefined) })

export function NodesScreen() {
  const t = usePhrases('nodes')
  const format = useFormat()
  const may = useMay()
  const [isEnrolling, setEnrolling] = useState(false)
  const [state, go] = useListState('nodes', Search)
  const { page, pageSize, edit } = state
  const known = useCall(nodes.metaZones, {})
  const zones = known.data?.data ?? []
  const zone = zones.find(({ id }) => id === state.zone) ?? zones[0]
  const zoneId = zone?.id ?? 0
  const call = useCall(nodes.zoneNodes, { zoneId, query: { page, pageSize } }, { everyMs, enabled: zone !== undefined })
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
