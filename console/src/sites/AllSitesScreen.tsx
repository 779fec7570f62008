/** The sites of all customers, for the operator. */

import { type OperatorSite, sites } from '@breakwater/contract/sites/sites.ts'
import { useNavigate } from '@tanstack/react-router'
import { z } from 'zod'
import { Button } from '../kit/Button.tsx'
import { Empty } from '../kit/Empty.tsx'
import { later } from '../kit/later.tsx'
import { laterFloat } from '../kit/later-float.tsx'
import { PageHead } from '../kit/PageHead.tsx'
import { type Column, ResourceTable } from '../kit/ResourceTable.tsx'
import { send } from '../platform/browser.ts'
import { useCall } from '../platform/calls.ts'
import { useFormat } from '../platform/format.ts'
import { useListState } from '../platform/list-state.ts'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'
import { ListSearch } from '../platform/search-state.ts'
import { useMay } from '../platform/session.ts'
import { SiteFilters } from './SiteFilters.tsx'
import { siteColumns } from './site-columns.tsx'
import { isFiltered, SiteFilterSearch, siteQuery, unfiltered } from './site-filters.ts'

const CustomerSiteForm = laterFloat('drawer', () =>
  import('./CustomerSiteForm.tsx').then((file) => file.CustomerSiteForm),
)
const OperatorActions = later(() => import('./OperatorActions.tsx').then((file) => file.OperatorActions))

const Search = ListSearch.extend({
  ...SiteFilterSearch.shape,
  sortBy: z.enum(['siteID', 'siteName', 'createdAt']).optional().catch(undefined),
})

export function AllSitesScreen() {
  const t = usePhrases('sites')
  const format = useFormat()
  const places = usePlaces()
  const navigate = useNavigate()
  const [state, go] = useListState('all-sites', Search)
  const { page, pageSize, sortBy, orderBy, edit } = state
  const may = useMay()
  const question = { ...siteQuery(state), orderBy, ...(sortBy ? { sortBy } : {}) }
  const call = useCall(sites.listAll, { query: { page, pageSize, ...question } })
  const [name, ...rest] = siteColumns<OperatorSite>(t, format, places).map((column) =>
    column.key === 'siteName' || column.key === 'createdAt' ? { ...column, sort: true } : column,
  )
  const columns: Column<OperatorSite>[] = [
    name!,
    { key: 'user', title: t('customer'), render: ({ user }) => user.name },
    ...rest,
  ]
  const make = may('sites.create') && (
    <Button look="solid" onClick={() => go({ edit: 'new' })}>
      {t('new')}
    </Button>
  )
  return (
    <>
      <PageHead title={t('title')}>{make}</PageHead>
      <SiteFilters state={state} go={go} />
      <ResourceTable
        label={t('title')}
        list="all-sites"
        call={call}
        clearFilters={isFiltered(state) ? () => go({ ...unfiltered, page: 1 }) : undefined}
        readPage={(at, size) => send(sites.listAll, { query: { ...question, page: at, pageSize: size } })}
        bulk={(chosen, clear, run) => <OperatorActions rows={chosen} clear={clear} run={run} />}
        columns={columns}
        rowKey={({ siteID }) => siteID}
        rowLabel={(site) => site.siteName}
        state={state}
        go={(patch) => go(patch as Partial<typeof state>)}
        onOpen={(site) => navigate({ to: places.site(site.siteID, site.siteName) })}
        empty={<Empty title={t('empty')}>{t('empty.operator')}</Empty>}
      />
      {edit === 'new' && <CustomerSiteForm onClose={() => go({ edit: undefined })} />}
    </>
  )
}
