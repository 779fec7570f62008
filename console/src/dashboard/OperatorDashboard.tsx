/** The operator's first page: nodes, sites and their total traffic. */
import { nodeStatuses, nodes } from '@breakwater/contract/nodes/nodes.ts'
import { sites } from '@breakwater/contract/sites/sites.ts'
import { Failed } from '../kit/faults.tsx'
import { Link } from '../kit/Link.tsx'
import { PageHead } from '../kit/PageHead.tsx'
import { StatRow } from '../kit/StatRow.tsx'
import { AttentionList } from '../pickers/Attention.tsx'
import { useCall } from '../platform/calls.ts'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'
import { Analysis } from './Analysis.tsx'

const nodesEveryMs = 5_000

export function OperatorDashboard() {
  const t = usePhrases('statistics')
  const format = useFormat()
  const places = usePlaces()
  const allSites = useCall(sites.listAll, { query: { page: 1, pageSize: 1 } })
  const zones = useCall(nodes.zones, { query: { page: 1, pageSize: 100 } })
  const initialized = useCall(nodes.initialized, { query: { page: 1, pageSize: 500 } }, { everyMs: nodesEveryMs })
  const online = initialized.data?.data.filter(({ status }) => status === nodeStatuses.enabled).length
  const fault = allSites.error ?? zones.error ?? initialized.error
  const shown = (value: number | undefined) => (value === undefined ? '–' : format.number(value))
  return (
    <>
      <PageHead title={t('dashboard.title')} />
      {fault && (
        <Failed fault={fault} retry={() => Promise.all([allSites.refetch(), zones.refetch(), initialized.refetch()])} />
      )}
      <StatRow
        stats={[
          {
            key: 'nodes',
            label: t('dashboard.nodesLive'),
            value: <Link to={places.nodes}>{`${shown(online)} / ${shown(initialized.data?.total)}`}</Link>,
          },
          {
            key: 'zones',
            label: t('dashboard.zones'),
            value: <Link to={places.zones}>{shown(zones.data?.total)}</Link>,
          },
          {
            key: 'sites',
            label: t('dashboard.sites'),
            value: <Link to={places.sites}>{shown(allSites.data?.total)}</Link>,
          },
        ]}
      />
      <AttentionList className="mt-3" />
      <Analysis />
    </>
  )
}
