/** The zones of the operator. */

import type { Reply } from '@breakwater/contract/endpoint.ts'
import { nodes } from '@breakwater/contract/nodes/nodes.ts'
import { z } from 'zod'
import { Button } from '../kit/Button.tsx'
import { Empty } from '../kit/Empty.tsx'
import { Link } from '../kit/Link.tsx'
import { laterFloat } from '../kit/later-float.tsx'
import { PageHead } from '../kit/PageHead.tsx'
import { type Column, ResourceTable } from '../kit/ResourceTable.tsx'
import { useCall } from '../platform/calls.ts'
import { useFormat } from '../platform/format.ts'
import { useListState } from '../platform/list-state.ts'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'
import { ListSearch } from '../platform/search-state.ts'
import { useMay } from '../platform/session.ts'

const ZoneForm = laterFloat('drawer', () => import('./ZoneDrawer.tsx').then((file) => file.ZoneForm))
const ZoneDrawer = laterFloat('drawer', () => import('./ZoneDrawer.tsx').then((file) => file.ZoneDrawer))

type Zone = Reply<typeof nodes.zones>['data'][number]
const Search = ListSearch.extend({ sortBy: z.enum(['name', 'createdAt']).optional().catch(undefined) })

export function ZonesScreen() {
  const t = usePhrases('nodes')
  const tKit = usePhrases('kit')
  const format = useFormat()
  const places = usePlaces()
  const [state, go] = useListState('zones', Search)
  const { page, pageSize, sortBy, orderBy, edit } = state
  const mayWrite = useMay()('zones.write')
  const call = useCall(nodes.zones, { query: { page, pageSize, orderBy, ...(sortBy ? { sortBy } : {}) } })
  const columns: Column<Zone>[] = [
    {
      key: 'name',
      title: t('zone'),
      sort: true,
      render: ({ id, name }) => (
        <Link to={places.zone(id, name)} className="font-medium">
          {name}
        </Link>
      ),
    },
    {
      key: 'nodes',
      title: t('zone.nodes'),
      end: true,
      render: ({ id, nodeCount }) => (
        <Link to={places.nodes} search={{ zone: id }} aria-label={t('zone.open')}>
          {format.number(nodeCount)}
        </Link>
      ),
    },
    { key: 'groups', title: t('zone.groups'), end: true, render: ({ groupCount }) => format.number(groupCount) },
    { key: 'http2', title: t('zone.http2'), render: ({ http2 }) => tKit(http2 ? 'on' : 'off') },
    { key: 'http3', title: t('zone.http3'), render: ({ http3 }) => tKit(http3 ? 'on' : 'off') },
    { key: 'memo', title: t('memo'), render: ({ memo }) => <span className="text-ink-2">{memo}</span> },
    {
      key: 'createdAt',
      title: t('zone.created'),
      sort: true,
      render: ({ createdAt }) => <span className="text-ink-3">{format.ago(createdAt)}</span>,
    },
    {
      key: 'actions',
      title: '',
      end: true,
      render: ({ id, name }) => (
        <Button size="sm" aria-label={`${tKit('edit')} ${name}`} onClick={() => go({ edit: id })}>
          {tKit('edit')}
        </Button>
      ),
    },
  ]
  const opened = call.data?.data.find(({ id }) => id === edit)
  const close = () => go({ edit: undefined })
  const add = mayWrite && (
    <Button look="solid" onClick={() => go({ edit: 'new' })}>
      {t('zone.add')}
    </Button>
  )
  return (
    <>
      <PageHead title={t('zones')} help={t('zones.help')}>
        {add}
      </PageHead>
      <ResourceTable
        label={t('zones')}
        list="zones"
        call={call}
        columns={columns}
        rowKey={({ id }) => id}
        rowLabel={({ name }) => name}
        state={state}
        go={(patch) => go(patch as Partial<typeof state>)}
        empty={<Empty title={t('zones.empty')} />}
      />
      {edit === 'new' && <ZoneForm onClose={close} />}
      {opened && <ZoneDrawer key={opened.id} zone={opened} onClose={close} />}
    </>
  )
}
