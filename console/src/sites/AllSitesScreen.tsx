/** The sites of all customers, for the operator. */

import type { Reply } from '@breakwater/contract/endpoint.ts'
import { sites } from '@breakwater/contract/sites/sites.ts'
import { useNavigate } from '@tanstack/react-router'
import { z } from 'zod'
import { useCall } from '../app/calls.ts'
import { useFormat } from '../app/format.ts'
import { useListState } from '../app/list-state.ts'
import { usePhrases } from '../app/phrases.ts'
import { usePlaces } from '../app/places.ts'
import { ListSearch } from '../app/search-state.ts'
import { Empty } from '../kit/Empty.tsx'
import { SearchInput } from '../kit/Input.tsx'
import { PageHead } from '../kit/PageHead.tsx'
import { type Column, ResourceTable } from '../kit/ResourceTable.tsx'
import { siteColumns } from './site-columns.tsx'

type Row = Reply<typeof sites.listAll>['data'][number]
const Search = ListSearch.extend({
  siteName: z.string().catch(''),
  sortBy: z.enum(['siteID', 'siteName', 'createdAt']).optional().catch(undefined),
})

export function AllSitesScreen() {
  const t = usePhrases('sites')
  const format = useFormat()
  const places = usePlaces()
  const navigate = useNavigate()
  const [state, go] = useListState('all-sites', Search)
  const { page, pageSize, siteName, sortBy, orderBy } = state
  const call = useCall(sites.listAll, { query: { page, pageSize, siteName, orderBy, ...(sortBy ? { sortBy } : {}) } })
  const [name, ...rest] = siteColumns<Row>(t, format, places).map((column) =>
    column.key === 'siteName' || column.key === 'createdAt' ? { ...column, sort: true } : column,
  )
  const columns: Column<Row>[] = [
    name!,
    { key: 'user', title: t('customer'), render: ({ user }) => user.name },
    ...rest,
    {
      key: 'expired',
      title: t('expires'),
      render: ({ expired }) => (expired ? format.day(expired) : <span className="text-ink-3">{t('never')}</span>),
    },
  ]
  return (
    <>
      <PageHead title={t('title')} />
      <div className="mb-2.5 flex flex-wrap items-center gap-2">
        <SearchInput
          label={t('search')}
          value={siteName}
          onChange={(text) => go({ siteName: text, page: 1 }, { replace: true })}
        />
      </div>
      <ResourceTable
        label={t('title')}
        list="all-sites"
        call={call}
        clearFilters={siteName ? () => go({ siteName: '', page: 1 }) : undefined}
        columns={columns}
        rowKey={({ siteID }) => siteID}
        rowLabel={(site) => site.siteName}
        state={state}
        go={(patch) => go(patch as Partial<typeof state>)}
        onOpen={(site) => navigate({ to: places.site(site.siteID, site.siteName) })}
        empty={<Empty title={t('empty')}>{t('empty.operator')}</Empty>}
      />
    </>
  )
}
