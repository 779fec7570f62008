/**
 * The site's own records in the operator's DNS: what domains point to, the plan of a change, and the current records.
 */
import {
  type DnsChange,
  type DnsRecord,
  dnsLines,
  SiteDns,
  siteDns,
  siteDnsPlan,
} from '@breakwater/contract/dns/site-dns.ts'
import { CopyText } from '../kit/CopyText.tsx'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { PageHead } from '../kit/PageHead.tsx'
import { Fact, Facts, Panel } from '../kit/Panel.tsx'
import { Status, type Tone } from '../kit/Status.tsx'
import { GroupSettings } from '../pickers/settings/GroupSettings.tsx'
import { useCall, useChange } from '../platform/calls.ts'
import { usePhrases } from '../platform/phrases.ts'

const Field = fieldsOf(SiteDns)
const tones: Record<DnsRecord['state'], Tone> = { waiting: 'info', written: 'ok', failed: 'bad' }

export function SiteDnsScreen({ siteId }: { siteId: number }) {
  const t = usePhrases('dns')
  const plan = useChange(siteDnsPlan.plan)
  const now = useCall(siteDns.calls.get, { siteId })
  /** One line per record. */
  const line = ({ type, name, before, after, ttl }: DnsChange) =>
    `${name} ${type}  ${[before, after].map((all) => all.join(' ') || '–').join(' → ')}  (${ttl} s)`
  return (
    <>
      <PageHead title={t('site.title')} help={t('site.help')} />
      <GroupSettings
        group={siteDns}
        place={{ siteId }}
        title={t('site.own')}
        help={t('site.own.help')}
        can="domains.write"
        done={t('saved')}
        trial={{
          label: t('site.plan'),
          run: async (body) => {
            const changes = await plan.mutateAsync({ siteId, body })
            if (changes.length === 0) return t('site.plan.none')
            return { text: t('site.plan.some', { n: changes.length }), words: changes.map(line).join('\n') }
          },
        }}
      >
        <Field.Select
          name="line"
          label={t('site.line')}
          options={dnsLines.map((value) => ({ value, label: t(`site.line.${value}`) }))}
        />
        <Field.Number name="ttl" label={t('site.ttl')} help={t('site.ttl.help')} unit={t('site.seconds')} />
      </GroupSettings>
      <Panel title={t('site.records')} className="mt-3 max-w-[880px]">
        <Facts>
          <Fact name="CNAME">{now.data?.cname ? <CopyText text={now.data.cname} /> : t('site.noName')}</Fact>
        </Facts>
        <Records records={now.data?.records ?? []} />
      </Panel>
    </>
  )
}

function Records({ records }: { records: readonly DnsRecord[] }) {
  const t = usePhrases('dns')
  if (records.length === 0) return <p className="mt-2 text-ink-2">{t('site.shared')}</p>
  return (
    <ul className="mt-2">
      {records.map(({ name, type, values, ttl, state, reason }) => (
        <li key={`${name} ${type}`} className="flex flex-wrap items-baseline gap-x-3 gap-y-1 py-1">
          <span className="mono min-w-0 [overflow-wrap:anywhere]">
            {name} {type} {values.join(' ') || '–'}
          </span>
          <span className="text-ink-3">
            {ttl} {t('site.seconds')}
          </span>
          <Status tone={tones[state]} going={state === 'waiting'} wraps>
            {t(`site.state.${state}`)}
            {reason && `: ${reason}`}
          </Status>
        </li>
      ))}
    </ul>
  )
}
