/**
 * What the WAF blocked and observed: over time, by rule, and by rule, page and value, each with links to the log and to
 * an exception.
 */
import { sites } from '@breakwater/contract/sites/sites.ts'
import { seriesTypes } from '@breakwater/contract/statistics/statistics.ts'
import { type WafMatchCount, wafStatistics } from '@breakwater/contract/statistics/waf.ts'
import { useMemo } from 'react'
import { Empty } from '../../kit/Empty.tsx'
import { Failed } from '../../kit/faults.tsx'
import { Link } from '../../kit/Link.tsx'
import { Panel } from '../../kit/Panel.tsx'
import { type Column, ResourceTable } from '../../kit/ResourceTable.tsx'
import { StatRow } from '../../kit/StatRow.tsx'
import { TopList } from '../../kit/TopList.tsx'
import { useCall } from '../../platform/calls.ts'
import { useFormat } from '../../platform/format.ts'
import { usePhrases } from '../../platform/phrases.ts'
import { usePlaces } from '../../platform/places.ts'
import { useMay } from '../../platform/session.ts'
import { SeriesPanel } from './SeriesPanel.tsx'
import { TopPanel, useRowActions } from './TopPanel.tsx'
import { useStatView, ViewProvider } from './view.ts'

/** The length of the WAF lists in the specification. */
const top = 20

export function WafAnalysis() {
  const t = usePhrases('statistics')
  const format = useFormat()
  const view = useStatView()
  const call = useCall(wafStatistics.matches, { body: { ...view.scope, top } })
  const ofWaf = useMemo(() => {
    const filter = { ...view.scope.filter, guard: ['waf'] }
    return { ...view, top, scope: { ...view.scope, filter } }
  }, [view])
  if (call.isError && !call.data)
    return (
      <Panel>
        <Failed fault={call.error} retry={() => call.refetch()} />
      </Panel>
    )
  return (
    <div className="grid grid-cols-1 gap-3">
      <SeriesPanel type={seriesTypes.waf} />
      {call.data?.matched === 0 ? (
        <Panel className="py-14 text-center">
          <Empty title={t('waf.none')}>{t('waf.noneText')}</Empty>
        </Panel>
      ) : (
        <>
          {call.data && (
            <StatRow
              stats={[
                { key: 'matched', label: t('waf.matched'), value: format.compact(call.data.matched) },
                { key: 'blocked', label: t('waf.blocked'), value: format.compact(call.data.blocked) },
              ]}
            />
          )}
          <Matches call={call} />
          <div className="grid gap-3 lg:grid-cols-2 xl:grid-cols-3">
            <Rules rows={call.data?.rules} />
            <ViewProvider value={ofWaf}>
              <TopPanel name="attackDomains" />
              <TopPanel name="attackIPs" />
            </ViewProvider>
          </div>
        </>
      )}
    </div>
  )
}

type Answer = { rules: { ruleID: number; name: string; requests: number }[] }

function Rules({ rows }: { rows: Answer['rules'] | undefined }) {
  const t = usePhrases('statistics')
  const actions = useRowActions('wafRule')
  const names = new Map(rows?.map(({ ruleID, name }) => [`${ruleID}`, name]))
  return (
    <TopList
      title={t('waf.rules')}
      unit={t('requests')}
      rows={rows?.map(({ ruleID, requests }) => ({ name: `${ruleID}`, value: requests }))}
      nameOf={(rule) => `${rule} ${names.get(rule) ?? ''}`}
      isWords
      actions={actions}
    />
  )
}

/** By rule, page and value: the scope of an exception. */
function Matches({ call }: { call: ReturnType<typeof useCall<typeof wafStatistics.matches>> }) {
  const t = usePhrases('statistics')
  const format = useFormat()
  const columns: Column<WafMatchCount>[] = [
    {
      key: 'rule',
      title: t('waf.rule'),
      render: ({ ruleID, name }) => (
        <span className="block min-w-48 whitespace-normal">
          <span className="num">{ruleID}</span> <span className="text-ink-2">{name}</span>
        </span>
      ),
      grows: true,
    },
    {
      key: 'path',
      title: t('waf.page'),
      // A minimum, as text that breaks anywhere would leave the column one letter wide.
      render: ({ domainName, path }) => (
        <code className="mono block min-w-72 whitespace-normal break-all">{domainName + path}</code>
      ),
    },
    { key: 'target', title: t('waf.value'), render: ({ target }) => <code className="mono break-all">{target}</code> },
    { key: 'requests', title: t('requests'), end: true, render: ({ requests }) => format.compact(requests) },
    { key: 'blocked', title: t('waf.blocked'), end: true, render: ({ blocked }) => format.compact(blocked) },
    {
      key: 'people',
      title: t('waf.people'),
      end: true,
      render: ({ people, attackers, addresses }) => (
        <span title={t('waf.peopleHelp')}>
          {t('waf.peopleOf', { people: format.compact(people), all: format.compact(addresses) })}
          {attackers > 0 && <span className="block text-bad text-xs">{t('waf.attackers', { n: attackers })}</span>}
        </span>
      ),
    },
    { key: 'allow', title: '', render: (match) => <AllowHere match={match} /> },
  ]
  const table = { ...call, data: call.data && { data: call.data.matches, total: call.data.matches.length } }
  return (
    <div>
      <h2 className="font-semibold text-sm">{t('waf.matches')}</h2>
      <p className="mb-2 text-ink-3 text-xs">{t('waf.matchesHelp')}</p>
      <ResourceTable
        label={t('waf.matches')}
        call={table as never}
        columns={columns}
        rowKey={({ ruleID, siteID, domainName, path, target }) => [ruleID, siteID, domainName, path, target].join(' ')}
        rowLabel={({ ruleID, path }) => `${ruleID} ${path}`}
        empty={<Empty title={t('waf.none')}>{t('waf.noneText')}</Empty>}
      />
    </div>
  )
}

/** Link to the exceptions of the site's WAF, prefilled from the newest such request. */
function AllowHere({ match }: { match: WafMatchCount }) {
  const t = usePhrases('statistics')
  const places = usePlaces()
  const may = useMay()
  const { data } = useCall(sites.meta, {})
  const site = data?.data.find(({ siteID }) => siteID === match.siteID)
  if (!site || !may('modules.write')) return null
  return (
    <Link to={places.site(site.siteID, site.siteName)} search={{ tab: 'waf', allow: match.row } as never}>
      {t('waf.allowHere')}
    </Link>
  )
}
