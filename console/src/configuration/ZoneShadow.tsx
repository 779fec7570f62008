/** A WAF rule set in shadow mode: which one, for how many requests, and its verdicts of the last day. */
import { ruleSets, type WafShadow, wafShadow, zoneShadow } from '@breakwater/contract/nodes/rule-sets.ts'
import { zoneConfiguration } from '@breakwater/contract/nodes/zone-configuration.ts'
import { fieldsOf } from '../kit/fields/fields-of.ts'
import { Link } from '../kit/Link.tsx'
import { Loaded } from '../kit/Loaded.tsx'
import { ScrollRegion } from '../kit/ScrollRegion.tsx'
import { StatRow } from '../kit/StatRow.tsx'
import { GroupSettings } from '../pickers/settings/GroupSettings.tsx'
import { useCall } from '../platform/calls.ts'
import { useExplainPlace } from '../platform/explain-place.ts'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'

const refreshes = [zoneConfiguration.status, zoneConfiguration.history, ruleSets.list, wafShadow.outcome]
const Field = fieldsOf(zoneShadow.schema)

type Props = { zoneId: number; options: { value: number; label: string }[] }

export function ZoneShadow({ zoneId, options }: Props) {
  const t = usePhrases('configuration')
  const { data } = useCall(zoneShadow.calls.get, { zoneId })
  return (
    <>
      <GroupSettings
        group={zoneShadow}
        place={{ zoneId }}
        title={t('shadow')}
        help={t('shadow.help')}
        can="zones.write"
        refreshes={refreshes}
      >
        <Field.Select
          name="ruleSetId"
          label={t('ruleSet.choice')}
          options={options.map((option) => (option.value === 0 ? { value: 0, label: t('shadow.none') } : option))}
        />
        <Field.Select
          name="nodes"
          label={t('shadow.nodes')}
          help={t('shadow.nodesHelp')}
          options={[
            { value: 'one', label: t('shadow.oneNode') },
            { value: 'all', label: t('shadow.allNodes') },
          ]}
        />
        <Field.Number name="percent" label={t('shadow.percent')} help={t('shadow.percentHelp')} unit="%" />
      </GroupSettings>
      {data && data.ruleSetId > 0 && <Outcome zoneId={zoneId} />}
    </>
  )
}

function Outcome({ zoneId }: { zoneId: number }) {
  const t = usePhrases('configuration')
  const call = useCall(wafShadow.outcome, { zoneId })
  return (
    <div className="mt-3 max-w-[880px]">
      <Loaded title={t('shadow.outcome')} help={t('shadow.outcomeHelp')} call={call}>
        {(outcome) => (
          <>
            {outcome.node !== null && <p className="mb-2 text-ink-2">{t('shadow.onNode', { name: outcome.node })}</p>}
            {outcome.requests === 0 ? <p className="text-ink-3">{t('shadow.empty')}</p> : <Found {...outcome} />}
          </>
        )}
      </Loaded>
    </div>
  )
}

function Found({ requests, refused, refusedInShadow, onlyNow, onlyInShadow, rules, examples }: WafShadow) {
  const t = usePhrases('configuration')
  const format = useFormat()
  const stat = (key: string, label: string, value: number) => ({ key, label, value: format.compact(value) })
  return (
    <div className="grid gap-4">
      <StatRow
        stats={[
          stat('requests', t('shadow.requests'), requests),
          stat('refused', t('shadow.refused'), refused),
          stat('refusedInShadow', t('shadow.refusedInShadow'), refusedInShadow),
          stat('onlyInShadow', t('shadow.onlyInShadow'), onlyInShadow),
          stat('onlyNow', t('shadow.onlyNow'), onlyNow),
        ]}
      />
      {rules.length > 0 && <Rules rules={rules} />}
      {examples.length > 0 && <Examples examples={examples} />}
    </div>
  )
}

function Rules({ rules }: Pick<WafShadow, 'rules'>) {
  const t = usePhrases('configuration')
  const format = useFormat()
  return (
    <ScrollRegion label={t('shadow.rules')}>
      <table className="w-full text-left">
        <caption className="pb-1 text-left font-semibold">{t('shadow.rules')}</caption>
        <thead className="text-ink-3 text-xs">
          <tr>
            <th className="py-1 pr-3 font-normal">{t('shadow.rule')}</th>
            <th className="num py-1 pr-3 text-right font-normal">{t('shadow.matched')}</th>
            <th className="num py-1 pr-3 text-right font-normal">{t('shadow.onlyInShadow')}</th>
            <th className="num py-1 text-right font-normal">{t('shadow.people')}</th>
          </tr>
        </thead>
        <tbody>
          {rules.map(({ ruleID, name, requests, onlyInShadow, people }) => (
            <tr key={ruleID} className="border-line border-t">
              <td className="py-1 pr-3">
                <span className="num">{ruleID}</span> <span className="text-ink-2">{name}</span>
              </td>
              <td className="num py-1 pr-3 text-right">{format.compact(requests)}</td>
              <td className="num py-1 pr-3 text-right">{format.compact(onlyInShadow)}</td>
              <td className="num py-1 text-right">{format.compact(people)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

/** A row's id consists of the time, the site and the request's id. */
const requestOf = (row: string): string => row.split('-').slice(2).join('-')

function Examples({ examples }: Pick<WafShadow, 'examples'>) {
  const t = usePhrases('configuration')
  const format = useFormat()
  const explainPlace = useExplainPlace()
  return (
    <section>
      <h3 className="pb-1 font-semibold">{t('shadow.examples')}</h3>
      <ul className="grid gap-2">
        {examples.map(({ row, at, siteID, method, url, isRefusedNow, rules }) => {
          const { to, search } = explainPlace(requestOf(row), siteID)
          return (
            <li key={row}>
              <Link to={to} search={search as never} className="mono break-all text-accent text-xs">
                {`${method} ${url}`}
              </Link>
              <p className="text-ink-3 text-xs">
                {format.moment(at)} · {t(isRefusedNow ? 'shadow.refusedNow' : 'shadow.passesNow')}
                {rules.length > 0 && ` · ${rules.join(', ')}`}
              </p>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
