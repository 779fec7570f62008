/** The settings of one site. Each tab is a screen of its own area, loaded when it is opened. */
import { domains } from '@breakwater/contract/domains/domains.ts'
import { sites } from '@breakwater/contract/sites/sites.ts'
import { Navigate, useParams } from '@tanstack/react-router'
import { Suspense } from 'react'
import { z } from 'zod'
import { buttonClass } from '../kit/Button.tsx'
import { Empty } from '../kit/Empty.tsx'
import { Failed } from '../kit/faults.tsx'
import { Link } from '../kit/Link.tsx'
import { Loading } from '../kit/Loading.tsx'
import { PageHead, PageObject } from '../kit/PageHead.tsx'
import { Panel } from '../kit/Panel.tsx'
import { useCall } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'
import { useSearchState } from '../platform/search-state.ts'
import { useSiteHere } from '../platform/site-here.ts'
import { siteTab, siteTabs } from './areas.ts'
import { RequirePermission } from './RequirePermission.tsx'
import { tabScreens } from './screens.ts'

const Search = z.object({ tab: z.string().catch('overview') })
/** An unknown tab falls back to the first one. */
const tabOf = (name: string) => siteTab(name) ?? siteTabs[0]!

/** The site of another tenant looks the same as one that does not exist. */
function NotHere() {
  const t = usePhrases('shell')
  const places = usePlaces()
  return (
    <>
      <PageHead title={t('site.title')} />
      <Panel className="py-14 text-center">
        <Empty
          title={t('site.notHere')}
          action={
            <Link to={places.sites} className={buttonClass({}, 'hover:no-underline')}>
              {t('switcher.all')}
            </Link>
          }
        >
          {t('site.notHereText')}
        </Empty>
      </Panel>
    </>
  )
}

/** A URL that ends with a domain name leads to the settings of that domain, or to a search for it if there is none. */
function DomainByName({ site, name }: { site: { id: number; name: string }; name: string }) {
  const places = usePlaces()
  const { data, error, refetch } = useCall(domains.list, { siteId: site.id, query: { keywords: name } })
  if (error) return <Failed fault={error} retry={() => refetch()} />
  if (!data) return <Loading />
  const found = data.data.find((domain) => domain.name === name.toLowerCase())
  const search = { tab: 'domains', keywords: name, ...(found ? { edit: found.id } : {}) }
  return <Navigate to={places.site(site.id, site.name)} search={search as never} replace />
}

export function SiteWorkspace() {
  const places = usePlaces()
  const here = useSiteHere()
  const [{ tab: name }] = useSearchState(Search)
  const { domainName } = useParams({ strict: false }) as { domainName?: string }
  const site = useCall(sites.get, { siteId: here?.id ?? 0 }, { enabled: here !== undefined })
  if (!here) return <Navigate to={places.sites} replace />
  if (site.error?.reason === 'permissionDenied') return <NotHere />
  if (site.isError && !site.data)
    return (
      <>
        <PageHead title={here.name} />
        <Panel>
          <Failed fault={site.error} retry={() => site.refetch()} />
        </Panel>
      </>
    )
  if (domainName) return <DomainByName site={here} name={domainName} />
  const { tab, can } = tabOf(name)
  const Screen = tabScreens.site.get(tab)!
  return (
    <RequirePermission can={can}>
      <Suspense fallback={<Loading />}>
        <PageObject value={here.name}>
          <Screen key={`${here.id}-${tab}`} siteId={here.id} />
        </PageObject>
      </Suspense>
    </RequirePermission>
  )
}
