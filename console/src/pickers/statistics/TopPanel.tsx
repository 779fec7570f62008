/**
 * A top list of the page's view. Each row offers a filter, a link to the log, and one to the matching kind of rule if
 * there is one.
 */
import { statistics } from '@breakwater/contract/statistics/statistics.ts'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { withFilter } from '../../kit/FilterBar.tsx'
import { Failed, showFault } from '../../kit/faults.tsx'
import { writeFilters } from '../../kit/filter-address.ts'
import { laterFloat } from '../../kit/later-float.tsx'
import { Panel } from '../../kit/Panel.tsx'
import { type RowAction, TopList } from '../../kit/TopList.tsx'
import { useCall } from '../../platform/calls.ts'
import { useCountryName } from '../../platform/countries.ts'
import { download } from '../../platform/download.ts'
import { useFormat } from '../../platform/format.ts'
import { usePhrases } from '../../platform/phrases.ts'
import { usePlaces } from '../../platform/places.ts'
import { useMay, useSelf } from '../../platform/session.ts'
import { useSiteHere } from '../../platform/site-here.ts'
import { CountryAttribution } from '../country.tsx'
import { logWord } from '../log-words.ts'
import type { RuleDraft } from './RuleDialog.tsx'
import { isWithoutData, type TopName, topLook } from './top-look.ts'
import { Until } from './Until.tsx'
import { useStatView } from './view.ts'

const RuleDialog = laterFloat('dialog', () => import('./RuleDialog.tsx').then((file) => file.RuleDialog))

type Props = { name: TopName; top?: number; aside?: ReactNode; className?: string }

export function TopPanel({ name, top: most, aside, className }: Props) {
  const t = usePhrases('statistics')
  const { networks } = useSelf().addressCredits
  const countryOf = useCountryName()
  const { scope, top: asked, countType } = useStatView()
  const top = most ?? asked
  const format = useFormat()
  const tLogs = usePhrases('logs')
  const { type, title, field, isCountry, worded } = topLook(name)
  const call = useCall(statistics.top, { body: { type, top, countType, ...scope } })
  const [rule, setRule] = useState<RuleDraft>()
  const may = useMay()
  const actions = useRowActions(field, setRule)
  const rows = call.data?.data
  // The whole list can be blocked at once only if it lists blocked clients, never ordinary visitors.
  const areRefused = name === 'blacklist' || name === 'attackIPs'
  const mayBlock = areRefused && may('firewall.write') && (rows?.length ?? 0) > 0
  if (call.isError && !rows)
    return (
      <Panel title={t(title)} {...(className ? { className } : {})}>
        <Failed fault={call.error} retry={() => call.refetch()} />
      </Panel>
    )
  return (
    <>
      <TopList
        title={t(title)}
        unit={t(countType === 'traffic' ? 'traffic' : 'requests')}
        {...(countType === 'traffic' ? { format: format.bytes } : {})}
        rows={rows}
        actions={actions}
        onDownload={() =>
          void download(statistics.listExport, { body: { of: 'top', type, countType, ...scope } }).catch(showFault)
        }
        aside={
          <>
            {call.data && <Until time={call.data.until} />}
            {aside}
            {mayBlock && (
              <Button size="sm" onClick={() => setRule({ kind: 'deny', names: rows!.map((row) => row.name) })}>
                {t('blockThese')}
              </Button>
            )}
          </>
        }
        {...(isCountry ? { isWords: true, nameOf: countryOf, note: <CountryAttribution /> } : {})}
        {...(worded ? { isWords: worded !== 'method', nameOf: (value) => logWord(worded, value, tLogs) } : {})}
        {...(name === 'network'
          ? { isWords: true, nameOf: labelIn(rows), note: t('networkAttribution', { credit: networks }) }
          : {})}
        {...(field === 'hostPath' && rows && areOfOneHost(rows) ? { nameOf: pathOf } : {})}
        {...(isWithoutData(name) ? { empty: t('noCities') } : {})}
        {...(className ? { className } : {})}
      />
      {rule && <RuleDialog draft={rule} onClose={() => setRule(undefined)} />}
    </>
  )
}

/** AS numbers with the names from the address data. */
const labelIn = (rows: readonly { name: string; label?: string | undefined }[] | undefined) => {
  const labels = new Map(rows?.map(({ name, label }) => [name, label]))
  return (name: string) => labels.get(name) ?? name
}

/** Pages of a single host differ only in their paths; the host would just hide them. */
const pathOf = (page: string) => page.slice(page.indexOf('/'))
const hostOf = (page: string) => page.slice(0, page.indexOf('/'))
const areOfOneHost = (rows: readonly { name: string }[]) => new Set(rows.map(({ name }) => hostOf(name))).size === 1

/** The actions on a value of a field; creating a rule is among them if `openRule` is given. */
export function useRowActions(field: string | undefined, openRule?: (draft: RuleDraft) => void): RowAction[] {
  const t = usePhrases('statistics')
  const places = usePlaces()
  const navigate = useNavigate()
  const may = useMay()
  const here = useSiteHere()
  const { scope, site, filters, pick } = useStatView()
  if (!field) return []
  const actions: RowAction[] = [
    { key: 'only', label: t('rowAction.only'), run: (value) => pick(field, value) },
    { key: 'not', label: t('rowAction.not'), run: (value) => pick(field, value, true) },
  ]
  const kind = field === 'ip' ? 'deny' : field === 'hostPath' ? 'rate' : undefined
  if (kind && openRule && may('firewall.write'))
    actions.push({ key: 'rule', label: t('rowAction.rule'), run: (value) => openRule({ kind, names: [value] }) })
  if (may('logs.read'))
    actions.push({
      key: 'log',
      label: t('rowAction.log'),
      run: (value) =>
        void navigate({
          // Inside a site, the user stays there.
          to: here ? places.site(here.id, here.name) : places.logs,
          search: {
            ...(here ? { tab: 'logs' } : { site }),
            view: 'search',
            from: scope.startTime,
            to: scope.endTime,
            f: writeFilters(withFilter(filters, field, value, false)),
          } as never,
        }),
    })
  return actions
}
