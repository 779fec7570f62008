/** The zones of the operator. */

import type { Reply } from '@breakwater/contract/endpoint.ts'
import { nodes } from '@breakwater/contract/nodes/nodes.ts'
import { z } from 'zod'
import { useCall } from '../app/calls.ts'
import { useFormat } from '../app/format.ts'
import { useListState } from '../app/list-state.ts'
import { usePhrases } from '../app/phrases.ts'
import { usePlaces } from '../app/places.ts'
import { ListSearch } from '../app/search-state.ts'
import { Empty } from '../kit/Empty.tsx'
import { Link } from '../kit/Link.tsx'
import { PageHead } from '../kit/PageHead.tsx'
import { type Column, ResourceTable } from '../kit/ResourceTable.tsx'

type Zone = Reply<typeof nodes.zones>['data'][number]
const Search = ListSearch.extend({ sortBy: z.enum(['name', 'createdAt']).optional().catch(undefined) })

export function ZonesScreen() {
  const t = usePhrases('nodes')
  const tKit = usePhrases('kit')
  const format = useFormat()
  const places = usePlaces()
  const [state, go] = useListState('zones', Search)
  const { page, pageSize, sortBy, orderBy } = state
  const call = useCall(nodes.zones, { query: { page, pageSize, orderBy, ...(sortBy ? { sortBy } : {}) } })
  const columns: Column<Zone>[] = [
    {
      key: 'name',
      title: t('zone'),
      sort: true,
      render: ({ id, name }) => (
        <Link to={places.nodes} search={{ zone: id }} className="font-medium">
          {name}
        </Link>
      ),
    },
    { key: 'nodes', title: t('zone.nodes'), end: true, render: ({ nodeCount }) => format.number(nodeCount) },
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
  ]
  return (
    <>
      <PageHead title={t('zones')} help={t('zones.help')} />
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
    </>
  )
}
