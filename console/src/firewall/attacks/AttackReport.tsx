/** The report of an attack: when, what, from where, and what was done; as a page, and as a file on request. */
import { attacks, type AttackReport as Report } from '@breakwater/contract/firewall/attacks.ts'
import { Download } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import { Button } from '../../kit/Button.tsx'
import { Failed } from '../../kit/faults.tsx'
import { Link } from '../../kit/Link.tsx'
import { PageHead } from '../../kit/PageHead.tsx'
import { Panel } from '../../kit/Panel.tsx'
import { StatRow } from '../../kit/StatRow.tsx'
import { TimeSeries } from '../../kit/TimeSeries.tsx'
import { TopList } from '../../kit/TopList.tsx'
import { startJob, useJob } from '../../kit/useJob.ts'
import { CountryAttribution } from '../../pickers/country.tsx'
import { logWord } from '../../pickers/log-words.ts'
import { useBrand } from '../../platform/brand.ts'
import { useCall } from '../../platform/calls.ts'
import { useCountryName } from '../../platform/countries.ts'
import { download } from '../../platform/download.ts'
import { useFormat } from '../../platform/format.ts'
import { useLocale } from '../../platform/locale.ts'
import { usePhrases } from '../../platform/phrases.ts'
import { usePlaces } from '../../platform/places.ts'
import { browserZone, useTimeZone } from '../../platform/time-zone.ts'

/** While the attack lasts. */
const everyMs = 10_000

export function AttackReport({ attack }: { attack: number }) {
  const t = usePhrases('firewall')
  const places = usePlaces()
  const call = useCall(
    attacks.report,
    { query: { attack } },
    { everyMs: (report) => (report?.endedAt === null ? everyMs : 0) },
  )
  useLightPaper()
  return (
    <>
      <PageHead title={t('report.title')} help={t('report.help')}>
        <Link to={places.attacks}>{t('report.all')}</Link>
        <DownloadButton attack={attack} />
      </PageHead>
      {call.data ? (
        <Pages report={call.data} />
      ) : call.isError ? (
        <Panel>
          <Failed fault={call.error} retry={() => call.refetch()} />
        </Panel>
      ) : (
        <div className="skeleton h-80" />
      )}
    </>
  )
}

/** Downloads the page as a PDF, which the server creates in this language and with the times of this page. */
function DownloadButton({ attack }: { attack: number }) {
  const t = usePhrases('firewall')
  const { locale } = useLocale()
  const timeZone = useTimeZone() ?? browserZone()
  const job = `report/${attack}`
  const isBusy = useJob(job)?.isOver === false
  const save = () =>
    startJob({
      id: job,
      async run() {
        await download(attacks.pdf, { query: { attack, locale, timeZone } })
        return { said: t('report.downloaded') }
      },
    })
  return (
    <Button busy={isBusy} onClick={save}>
      <Download size={14} aria-hidden />
      {t('report.download')}
    </Button>
  )
}

/** Paper is white, whatever the console's theme. */
function useLightPaper() {
  useEffect(() => {
    const { classList } = document.documentElement
    let wasDark = false
    const before = () => {
      wasDark = classList.contains('dark')
      classList.remove('dark')
    }
    const after = () => {
      if (wasDark) classList.add('dark')
    }
    addEventListener('beforeprint', before)
    addEventListener('afterprint', after)
    return () => {
      removeEventListener('beforeprint', before)
      removeEventListener('afterprint', after)
    }
  }, [])
}

function Pages({ report }: { report: Report }) {
  const t = usePhrases('firewall')
  const brand = useBrand()
  const format = useFormat()
  const { siteName, beganAt, endedAt, until, reason, rate, limit, nodes, isWhole } = report
  const seconds = (Date.parse(endedAt ?? until) - Date.parse(beganAt)) / 1000
  const why = { rate: format.number(rate), limit: format.number(limit), nodes: nodes.join(', ') }
  return (
    <article className="print-page grid gap-3">
      <header>
        <p className="hidden text-ink-2 print:block">{brand}</p>
        <h2 className="font-semibold text-[18px] [overflow-wrap:anywhere]">
          {t('report.of', { site: siteName, when: format.moment(beganAt) })}
        </h2>
        <p className="text-ink-2">
          {endedAt === null
            ? t('report.lasts', { duration: format.duration(seconds) })
            : t('report.lasted', { end: format.moment(endedAt), duration: format.duration(seconds) })}{' '}
          {t(`report.because.${reason}`, why)}
        </p>
        {!isWhole && <p className="text-warn">{t('report.notWhole')}</p>}
      </header>
      <Sums report={report} />
      <Course report={report} />
      <Done report={report} />
      <Origins report={report} />
      <footer className="text-ink-3 text-xs">
        {t('report.foot', { brand, until: format.moment(until) })} <CountryAttribution />
      </footer>
    </article>
  )
}

function Sums({ report }: { report: Report }) {
  const t = usePhrases('firewall')
  const format = useFormat()
  const { requests, refused, challenged, toOrigin, failures, peak, banned, addresses } = report
  const share = (part: number) => format.percent(requests === 0 ? 0 : part / requests)
  return (
    <StatRow
      stats={[
        { key: 'requests', label: t('report.requests'), value: format.compact(requests) },
        { key: 'peak', label: t('report.peak'), value: format.compact(peak) },
        {
          key: 'stopped',
          label: t('report.stopped'),
          value: format.compact(refused + challenged),
          hint: share(refused + challenged),
        },
        {
          key: 'origin',
          label: t('report.toOrigin'),
          value: format.compact(toOrigin),
          hint: t('report.failures', { n: failures }),
        },
        { key: 'addresses', label: t('report.addresses'), value: format.compact(addresses.distinct) },
        { key: 'banned', label: t('report.banned'), value: format.compact(banned) },
      ]}
    />
  )
}

function Course({ report: { series } }: { report: Report }) {
  const t = usePhrases('firewall')
  const format = useFormat()
  const points = useMemo(
    () =>
      series.map(({ time, requests, stopped }) => ({
        time: Date.parse(time) / 1000,
        value: { pass: requests - stopped, drop: stopped },
      })),
    [series],
  )
  const lines = [
    { key: 'pass', label: t('report.passed'), color: '--pass' },
    { key: 'drop', label: t('report.stopped'), color: '--drop' },
  ]
  return (
    <Panel title={t('report.course')}>
      <TimeSeries label={t('report.course')} points={points} lines={lines} format={format.compact} height={200} />
    </Panel>
  )
}

/** What was done: which guards acted, and whether they refused or challenged. */
function Done({ report: { guards, banned } }: { report: Report }) {
  const t = usePhrases('firewall')
  const tLogs = usePhrases('logs')
  return (
    <Panel title={t('report.done')}>
      {guards.length === 0 && <p className="text-ink-3">{t('report.nothingDone')}</p>}
      <ul className="grid gap-1">
        {guards.map(({ guard, action, requests }) => (
          <li key={`${guard} ${action}`}>
            {t(`report.did.${action}`, { guard: logWord('guard', guard, tLogs), n: requests })}
          </li>
        ))}
        {banned > 0 && <li>{t('report.didBan', { n: banned })}</li>}
      </ul>
    </Panel>
  )
}

function Origins({ report: { countries, addresses, paths, userAgents } }: { report: Report }) {
  const t = usePhrases('firewall')
  const nameOf = useCountryName()
  const list = (title: string, { rows, distinct }: Report['countries']) => ({
    ...{ title, unit: t('report.unit') },
    rows: rows.map(({ name, requests }) => ({ name, value: requests })),
    note: distinct > rows.length ? t('report.more', { n: distinct - rows.length }) : undefined,
  })
  return (
    <div className="grid gap-3 md:grid-cols-2">
      <TopList {...list(t('report.countries'), countries)} nameOf={nameOf} isWords />
      <TopList {...list(t('report.addresses'), addresses)} />
      <TopList {...list(t('report.paths'), paths)} />
      <TopList {...list(t('report.userAgents'), userAgents)} />
    </div>
  )
}
