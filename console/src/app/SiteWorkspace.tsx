/** The settings of one site. Each tab is a screen of its own area, loaded when it is opened. */
import { domains } from '@breakwater/contract/domains/domains.ts'
import { sites } from '@breakwater/contract/sites/sites.ts'
import { Navigate, useParams } from '@tanstack/react-router'
import { type ComponentType, lazy, Suspense } from 'react'
import { z } from 'zod'
import { buttonClass } from '../kit/Button.tsx'
import { Empty } from '../kit/Empty.tsx'
import { Failed } from '../kit/faults.tsx'
import { Link } from '../kit/Link.tsx'
import { PageHead, PageObject } from '../kit/PageHead.tsx'
import { Panel } from '../kit/Panel.tsx'
import { useCall } from './calls.ts'
import { Loading } from './edges.tsx'
import { currentLocale } from './locale.ts'
import { type Area, loadPhrases, usePhrases } from './phrases.ts'
import { type SiteTab, siteTabs, usePlaces } from './places.ts'
import { RequirePermission } from './RequirePermission.tsx'
import { useSearchState } from './search-state.ts'
import { useSiteHere } from './site-here.ts'
import { siteNav } from './site-nav.ts'

type Screen = ComponentType<{ siteId: number }>

/** A screen, and the words that it is drawn with. */
const tab = (load: () => Promise<Screen>, words: readonly Area[]) => ({
  load,
  words,
  Screen: lazy(async () => ({ default: await load() })),
})

const tabs: Record<SiteTab, ReturnType<typeof tab>> = {
  overview: tab(() => import('../sites/OverviewScreen.tsx').then((file) => file.OverviewScreen), ['sites']),
  domains: tab(() => import('../domains/DomainsScreen.tsx').then((file) => file.DomainsScreen), ['domains']),
  customHeader: tab(
    () => import('../modules/CustomHeadersScreen.tsx').then((file) => file.CustomHeadersScreen),
    ['modules'],
  ),
  cache: tab(() => import('../delivery/CacheScreen.tsx').then((file) => file.CacheScreen), ['delivery', 'rules']),
  allowList: tab(
    () => import('../firewall/ip-rules/IpRulesScreen.tsx').then((file) => file.AllowListScreen),
    ['firewall', 'rules'],
  ),
  denyList: tab(
    () => import('../firewall/ip-rules/IpRulesScreen.tsx').then((file) => file.DenyListScreen),
    ['firewall', 'rules'],
  ),
  rateRules: tab(
    () => import('../firewall/rate-rules/RateRulesScreen.tsx').then((file) => file.RateRulesScreen),
    ['firewall', 'rules'],
  ),
  bodyRules: tab(
    () => import('../firewall/body-rules/BodyRulesScreen.tsx').then((file) => file.BodyRulesScreen),
    ['firewall', 'rules'],
  ),
  members: tab(() => import('../people/MembersScreen.tsx').then((file) => file.MembersScreen), ['people']),
  history: tab(
    () => import('../sites/history/HistoryScreen.tsx').then((file) => file.HistoryScreen),
    ['sites', 'audit', 'rules'],
  ),
}
const Search = z.object({ tab: z.enum(siteTabs).catch('overview') })

/** Another's site answers like one that never was. */
function NotHere() {
  const t = usePhrases('app')
  const places = usePlaces()
  return (
    <>
      <PageHead title={t('nav.site')} />
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

/** An address that ends with a domain's name leads to that domain's settings, or to the search for it where there is none. */
function DomainByName({ site, name }: { site: { id: number; name: string }; name: string }) {
  const places = usePlaces()
  const { data, error, refetch } = useCall(domains.list, { siteId: site.id, query: { keywords: name } })
  if (error) return <Failed fault={error} retry={() => refetch()} />
  if (!data) return <Loading />
  const found = data.data.find((domain) => domain.name === name.toLowerCase())
  const search = { tab: 'domains', keywords: name, ...(found ? { edit: found.id } : {}) }
  return <Navigate to={places.site(site.id, site.name)} search={search as never} replace />
}

/** Loads the screen that an address asks for, and its words. */
export function loadTab(search: object): Promise<unknown> {
  const { load, words } = tabs[Search.parse(search).tab]
  return Promise.all([load(), ...words.map((area) => loadPhrases(area, currentLocale()))])
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
  const { Screen } = tabs[name]
  return (
    <RequirePermission can={siteNav.find((entry) => entry.tab === name)?.can}>
      <Suspense fallback={<Loading />}>
        <PageObject value={here.name}>
          <Screen key={`${here.id}-${name}`} siteId={here.id} />
        </PageObject>
      </Suspense>
    </RequirePermission>
  )
}
