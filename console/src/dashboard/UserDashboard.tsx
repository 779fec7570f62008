/** What the account has and serves, at a glance. */
import { sites } from '@breakwater/contract/sites/sites.ts'
import { buttonClass } from '../kit/Button.tsx'
import { Empty } from '../kit/Empty.tsx'
import { Failed } from '../kit/faults.tsx'
import { Link } from '../kit/Link.tsx'
import { PageHead } from '../kit/PageHead.tsx'
import { Panel } from '../kit/Panel.tsx'
import { StatRow } from '../kit/StatRow.tsx'
import { AttentionList } from '../pickers/Attention.tsx'
import { SiteStatusList } from '../pickers/SiteStatusList.tsx'
import { useCall } from '../platform/calls.ts'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'
import { useMay } from '../platform/session.ts'
import { Analysis } from './Analysis.tsx'

export function UserDashboard() {
  const t = usePhrases('statistics')
  const format = useFormat()
  const places = usePlaces()
  const may = useMay()
  const { data, error, refetch } = useCall(sites.resourceInfo, {})
  const isNew = data?.siteCount === 0
  return (
    <>
      <PageHead title={t('dashboard.title')} />
      {error && (
        <Panel className="mb-3">
          <Failed fault={error} retry={() => refetch()} />
        </Panel>
      )}
      <StatRow
        stats={[
          { key: 'sites', label: t('dashboard.sites'), value: data ? format.number(data.siteCount) : '–' },
          { key: 'domains', label: t('dashboard.domains'), value: data ? format.number(data.domainCount) : '–' },
          { key: 'month', label: t('dashboard.month'), value: data ? format.bytes(data.currentMonthTraffic) : '–' },
          {
            key: 'lastMonth',
            label: t('dashboard.lastMonth'),
            value: data ? format.bytes(data.lastMonthTraffic) : '–',
          },
        ]}
      />
      {isNew && may('sites.create') && (
        <Panel className="mt-3 py-10 text-center">
          <Empty
            title={t('dashboard.first')}
            action={
              <Link
                to={places.newSite}
                className={buttonClass({ look: 'solid' }, 'hover:no-underline hover:text-on-solid')}
              >
                {t('dashboard.first')}
              </Link>
            }
          >
            {t('dashboard.firstText')}
          </Empty>
        </Panel>
      )}
      {data && data.siteCount > 0 && data.domainCount === 0 && may('domains.write') && <Unfinished />}
      {!isNew && (
        <>
          <div className="mt-3 grid gap-3 lg:grid-cols-2">
            {may('sites.read') && <AttentionList />}
            <Panel
              title={t('dashboard.yourSites')}
              aside={
                <Link to={places.sites} className="text-xs">
                  {t('site.all')}
                </Link>
              }
            >
              <SiteStatusList />
            </Panel>
          </div>
          <Analysis />
        </>
      )}
    </>
  )
}

/** A site that was created but has no domain yet, with a link to continue. */
function Unfinished() {
  const t = usePhrases('statistics')
  const tSites = usePhrases('sites')
  const places = usePlaces()
  const site = useCall(sites.listOwn, { query: { page: 1, pageSize: 25 } }).data?.data[0]
  if (!site) return null
  return (
    <Panel className="mt-3 py-8 text-center">
      <Empty
        title={t('dashboard.unfinished', { site: site.siteName })}
        action={
          <Link
            to={places.newSite}
            search={{ site: site.siteID }}
            className={buttonClass({ look: 'solid' }, 'hover:no-underline hover:text-on-solid')}
          >
            {tSites('overview.finish')}
          </Link>
        }
      />
    </Panel>
  )
}
