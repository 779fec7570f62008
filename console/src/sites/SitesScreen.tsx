/** One's own sites. */
import { type Site, sites } from '@breakwater/contract/sites/sites.ts'
import { useNavigate } from '@tanstack/react-router'
import { z } from 'zod'
import { useCall } from '../app/calls.ts'
import { useFormat } from '../app/format.ts'
import { useListState } from '../app/list-state.ts'
import { usePhrases } from '../app/phrases.ts'
import { usePlaces } from '../app/places.ts'
import { ListSearch } from '../app/search-state.ts'
import { useMay } from '../app/session.ts'
import { buttonClass } from '../kit/Button.tsx'
import { Empty } from '../kit/Empty.tsx'
import { SearchInput } from '../kit/Input.tsx'
import { Link } from '../kit/Link.tsx'
import { PageHead } from '../kit/PageHead.tsx'
import { ResourceTable } from '../kit/ResourceTable.tsx'
import { siteColumns } from './site-columns.tsx'

const Search = ListSearch.extend({ siteName: z.string().catch('') })

export function SitesScreen() {
  const t = usePhrases('sites')
  const format = useFormat()
  const places = usePlaces()
  const navigate = useNavigate()
  const may = useMay()
  const [state, go] = useListState('sites', Search)
  const { page, pageSize, siteName } = state
  const call = useCall(sites.listOwn, { query: { page, pageSize, siteName } })
  const newSite = may('sites.create') && (
    <Link to={places.newSite} className={buttonClass({ look: 'solid' }, 'hover:no-underline hover:text-on-solid')}>
      {t('new')}
    </Link>
  )
  return (
    <>
      <PageHead title={t('title')}>{newSite}</PageHead>
      <div className="mb-2.5 flex flex-wrap items-center gap-2">
        <SearchInput
          label={t('search')}
          value={siteName}
          onChange={(text) => go({ siteName: text, page: 1 }, { replace: true })}
        />
      </div>
      <ResourceTable<Site>
        label={t('title')}
        list="sites"
        call={call}
        clearFilters={siteName ? () => go({ siteName: '', page: 1 }) : undefined}
        columns={siteColumns(t, format, places)}
        rowKey={({ siteID }) => siteID}
        rowLabel={(site) => site.siteName}
        state={state}
        go={go}
        onOpen={(site) => navigate({ to: places.site(site.siteID, site.siteName) })}
        empty={
          <Empty title={t('empty')} action={newSite}>
            {t('empty.text')}
          </Empty>
        }
      />
    </>
  )
}
