/** One's own sites. */
import { type Site, sites } from '@breakwater/contract/sites/sites.ts'
import { useNavigate } from '@tanstack/react-router'
import { z } from 'zod'
import { send } from '../app/browser.ts'
import { useCall, useChange } from '../app/calls.ts'
import { useFormat } from '../app/format.ts'
import { useListState } from '../app/list-state.ts'
import { usePhrases } from '../app/phrases.ts'
import { usePlaces } from '../app/places.ts'
import { ListSearch } from '../app/search-state.ts'
import { useMay } from '../app/session.ts'
import { BulkConfirm } from '../kit/BulkConfirm.tsx'
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
  const removing = useChange(sites.remove, sites.listOwn, sites.meta, sites.resourceInfo)
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
        readPage={(at, size) => send(sites.listOwn, { query: { page: at, pageSize: size, siteName } })}
        rowKey={({ siteID }) => siteID}
        rowLabel={(site) => site.siteName}
        state={state}
        go={go}
        onOpen={(site) => navigate({ to: places.site(site.siteID, site.siteName) })}
        bulk={
          may('sites.remove')
            ? (chosen, clear, run) => (
                <BulkConfirm
                  label={t('remove.many', { n: chosen.length })}
                  title={t('remove.manyTitle', { n: chosen.length })}
                  consequence={t('remove.text')}
                  rows={chosen}
                  rowKey={({ siteID }) => siteID}
                  rowName={({ siteName: name }) => name}
                  // Each is named in its own call, which says what is wrong with it.
                  act={([site]) => removing.mutateAsync({ body: { siteID: site!.siteID, siteName: site!.siteName } })}
                  perCall={1}
                  run={run}
                  clear={clear}
                  done={t('removed')}
                  typed={chosen.length === 1 ? chosen[0]!.siteName : String(chosen.length)}
                />
              )
            : undefined
        }
        empty={
          <Empty title={t('empty')} action={newSite}>
            {t('empty.text')}
          </Empty>
        }
      />
    </>
  )
}
