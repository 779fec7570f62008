/** The user's own sites. */
import { type Site, sites } from '@breakwater/contract/sites/sites.ts'
import { useNavigate } from '@tanstack/react-router'
import { BulkConfirm } from '../kit/BulkConfirm.tsx'
import { buttonClass } from '../kit/Button.tsx'
import { Empty } from '../kit/Empty.tsx'
import { Link } from '../kit/Link.tsx'
import { later } from '../kit/later.tsx'
import { PageHead } from '../kit/PageHead.tsx'
import { ResourceTable } from '../kit/ResourceTable.tsx'
import { send } from '../platform/browser.ts'
import { useCall, useChange } from '../platform/calls.ts'
import { useFormat } from '../platform/format.ts'
import { useListState } from '../platform/list-state.ts'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'
import { ListSearch } from '../platform/search-state.ts'
import { useMay } from '../platform/session.ts'
import { SiteFilters } from './SiteFilters.tsx'
import { siteColumns } from './site-columns.tsx'
import { isFiltered, SiteFilterSearch, siteQuery, unfiltered } from './site-filters.ts'

const SiteTagsAction = later(() => import('./SiteTagsAction.tsx').then((file) => file.SiteTagsAction))

const Search = ListSearch.extend(SiteFilterSearch.shape)

export function SitesScreen() {
  const t = usePhrases('sites')
  const format = useFormat()
  const places = usePlaces()
  const navigate = useNavigate()
  const may = useMay()
  const [state, go] = useListState('sites', Search)
  const { page, pageSize } = state
  const filter = siteQuery(state)
  const call = useCall(sites.listOwn, { query: { page, pageSize, ...filter } })
  const removing = useChange(sites.remove, sites.listOwn, sites.meta, sites.resourceInfo)
  const newSite = may('sites.create') && (
    <Link to={places.newSite} className={buttonClass({ look: 'solid' }, 'hover:no-underline hover:text-on-solid')}>
      {t('new')}
    </Link>
  )
  const importSites = may('sites.create') && (
    <Link to={places.importSites} className={buttonClass({}, 'hover:no-underline hover:text-ink')}>
      {t('import')}
    </Link>
  )
  return (
    <>
      <PageHead title={t('title')}>
        {importSites}
        {newSite}
      </PageHead>
      <SiteFilters state={state} go={go} />
      <ResourceTable<Site>
        label={t('title')}
        list="sites"
        call={call}
        clearFilters={isFiltered(state) ? () => go({ ...unfiltered, page: 1 }) : undefined}
        columns={siteColumns(t, format, places)}
        readPage={(at, size) => send(sites.listOwn, { query: { page: at, pageSize: size, ...filter } })}
        rowKey={({ siteID }) => siteID}
        rowLabel={(site) => site.siteName}
        state={state}
        go={go}
        onOpen={(site) => navigate({ to: places.site(site.siteID, site.siteName) })}
        bulk={
          may('sites.remove') || may('sites.write')
            ? (chosen, clear, run) => (
                <>
                  {may('sites.write') && <SiteTagsAction rows={chosen} clear={clear} />}
                  {may('sites.remove') && (
                    <BulkConfirm
                      label={t('remove.many', { n: chosen.length })}
                      title={t('remove.manyTitle', { n: chosen.length })}
                      consequence={t('remove.text')}
                      rows={chosen}
                      rowKey={({ siteID }) => siteID}
                      rowName={({ siteName: name }) => name}
                      // One call per site, so that each error is reported for its site.
                      act={([site]) =>
                        removing.mutateAsync({ body: { siteID: site!.siteID, siteName: site!.siteName } })
                      }
                      perCall={1}
                      run={run}
                      clear={clear}
                      done={t('removed')}
                      typed={chosen.length === 1 ? chosen[0]!.siteName : String(chosen.length)}
                    />
                  )}
                </>
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
