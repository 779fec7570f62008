/** A top list of the page's view. Each row is a filter, a door to the log, and where there is a rule for it, to that. */
import { statistics } from '@breakwater/contract/statistics/statistics.ts'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useCall } from '../../app/calls.ts'
import { useCountryName } from '../../app/countries.ts'
import { download } from '../../app/download.ts'
import { usePhrases } from '../../app/phrases.ts'
import { usePlaces } from '../../app/places.ts'
import { useMay } from '../../app/session.ts'
import { Button } from '../../kit/Button.tsx'
import { withFilter } from '../../kit/FilterBar.tsx'
import { Failed, showFault } from '../../kit/faults.tsx'
import { writeFilters } from '../../kit/filter-address.ts'
import { laterFloat } from '../../kit/later-float.tsx'
import { Panel } from '../../kit/Panel.tsx'
import { type Door, TopList } from '../../kit/TopList.tsx'
import { CountryAttribution } from '../country.tsx'
import { logWord } from '../log-words.ts'
import type { RuleDoor } from './RuleDialog.tsx'
import { isWithoutData, type TopName, topLook } from './top-look.ts'
import { useStatView } from './view.ts'

const RuleDialog = laterFloat('dialog', () => import('./RuleDialog.tsx').then((file) => file.RuleDialog))

type Props = { name: TopName; top?: number; aside?: ReactNode; className?: string }

export function TopPanel({ name, top = 10, aside, className }: Props) {
  const t = usePhrases('statistics')
  const countryOf = useCountryName()
  const { scope } = useStatView()
  const tLogs = usePhrases('logs')
  const { type, title, field, isCountry, worded } = topLook(name)
  const call = useCall(statistics.top, { body: { type, top, ...scope } })
  const [rule, setRule] = useState<RuleDoor>()
  const may = useMay()
  const doors = useDoors(field, setRule)
  const rows = call.data?.data
  const mayBlock = field === 'ip' && may('firewall.write') && (rows?.length ?? 0) > 0
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
        unit={t('requests')}
        rows={rows}
        doors={doors}
        onDownload={() =>
          void download(statistics.listExport, { body: { of: 'top', type, ...scope } }).catch(showFault)
        }
        aside={
          <>
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
        {...(field === 'hostPath' && rows && areOfOneHost(rows) ? { nameOf: pathOf } : {})}
        {...(isWithoutData(name) ? { empty: t('noCities') } : {})}
        {...(className ? { className } : {})}
      />
      {rule && <RuleDialog door={rule} onClose={() => setRule(undefined)} />}
    </>
  )
}

/** Pages of one host are told apart by their paths; the host would only hide them. */
const pathOf = (page: string) => page.slice(page.indexOf('/'))
const hostOf = (page: string) => page.slice(0, page.indexOf('/'))
const areOfOneHost = (rows: readonly { name: string }[]) => new Set(rows.map(({ name }) => hostOf(name))).size === 1

function useDoors(field: string | undefined, openRule: (door: RuleDoor) => void): Door[] {
  const t = usePhrases('statistics')
  const places = usePlaces()
  const navigate = useNavigate()
  const may = useMay()
  const { scope, site, filters, pick } = useStatView()
  if (!field) return []
  const doors: Door[] = [
    { key: 'only', label: t('door.only'), open: (value) => pick(field, value) },
    { key: 'not', label: t('door.not'), open: (value) => pick(field, value, true) },
  ]
  const kind = field === 'ip' ? 'deny' : field === 'hostPath' ? 'rate' : undefined
  if (kind && may('firewall.write'))
    doors.push({ key: 'rule', label: t('door.rule'), open: (value) => openRule({ kind, names: [value] }) })
  if (may('logs.read'))
    doors.push({
      key: 'log',
      label: t('door.log'),
      open: (value) =>
        void navigate({
          to: places.logs,
          search: {
            view: 'search',
            site,
            from: scope.startTime,
            to: scope.endTime,
            f: writeFilters(withFilter(filters, field, value, false)),
          } as never,
        }),
    })
  return doors
}
