/** The ports of its zone on which a site answers, besides those of HTTP and HTTPS. */
import type { Reply } from '@breakwater/contract/endpoint.ts'
import { sitePorts } from '@breakwater/contract/nodes/zone-ports.ts'
import { Empty } from '../kit/Empty.tsx'
import { showFault } from '../kit/faults.tsx'
import { PageHead } from '../kit/PageHead.tsx'
import { type Column, ResourceTable } from '../kit/ResourceTable.tsx'
import { Switch } from '../kit/Toggle.tsx'
import { useCall, useChange } from '../platform/calls.ts'
import { useListState } from '../platform/list-state.ts'
import { usePhrases } from '../platform/phrases.ts'
import { ListSearch } from '../platform/search-state.ts'
import { useMay } from '../platform/session.ts'
import { toasts } from '../platform/toasts.ts'

type Row = Reply<typeof sitePorts.zonePorts>['data'][number]

export function SitePorts({ siteId }: { siteId: number }) {
  const t = usePhrases('configuration')
  const mayWrite = useMay()('sites.write')
  const [state, go] = useListState('sitePorts', ListSearch)
  const { page, pageSize } = state
  const call = useCall(sitePorts.zonePorts, { siteId, query: { page, pageSize } })
  const add = useChange(sitePorts.add, sitePorts.zonePorts)
  const remove = useChange(sitePorts.remove, sitePorts.zonePorts)
  async function choose(port: number, isOn: boolean) {
    try {
      await (isOn ? add : remove).mutateAsync({ siteId, body: { ports: [port] } })
      toasts.done(t('site.saved'))
    } catch (error) {
      showFault(error)
    }
  }
  const columns: Column<Row>[] = [
    { key: 'port', title: t('ports.port'), render: ({ port }) => <span className="font-medium">{port}</span> },
    { key: 'tls', title: t('ports.protocol'), render: ({ tls }) => t(tls ? 'ports.https' : 'ports.http') },
    {
      key: 'chosen',
      title: t('site.answers'),
      render: ({ port, chosen }) => (
        <Switch
          checked={chosen}
          disabled={!mayWrite || add.isPending || remove.isPending}
          aria-label={t('site.answersOn', { port: String(port) })}
          onCheckedChange={(isOn) => void choose(port, isOn)}
        />
      ),
    },
  ]
  return (
    <>
      <PageHead title={t('site.ports')} help={t('site.portsHelp')} />
      <ResourceTable
        label={t('site.ports')}
        list="sitePorts"
        call={call}
        columns={columns}
        rowKey={({ port }) => port}
        rowLabel={({ port }) => String(port)}
        state={state}
        go={go}
        empty={<Empty title={t('site.empty')}>{t('site.emptyText')}</Empty>}
      />
    </>
  )
}
