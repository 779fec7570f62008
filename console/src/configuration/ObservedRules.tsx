/** Rules of the zone's rule set that only observe at first: how often they match, and releasing them. */
import {
  type ObservedRules as Observed,
  type ObservedRule,
  observedRules,
} from '@breakwater/contract/nodes/observed-rules.ts'
import { zoneConfiguration } from '@breakwater/contract/nodes/zone-configuration.ts'
import { ConfirmButton } from '../kit/ConfirmButton.tsx'
import { Loaded } from '../kit/Loaded.tsx'
import { ScrollRegion } from '../kit/ScrollRegion.tsx'
import { useCall, useChange } from '../platform/calls.ts'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useMay } from '../platform/session.ts'

export function ObservedRules({ zoneId }: { zoneId: number }) {
  const t = usePhrases('configuration')
  const call = useCall(observedRules.list, { zoneId })
  return (
    <div className="mt-6 max-w-[880px]">
      <Loaded title={t('observed')} help={t('observed.help')} call={call}>
        {(observed) =>
          observed.rules.length === 0 ? (
            <p className="text-ink-3">{t('observed.empty')}</p>
          ) : (
            <Rules zoneId={zoneId} {...observed} />
          )
        }
      </Loaded>
    </div>
  )
}

function Rules({ zoneId, rules, benign, live }: Observed & { zoneId: number }) {
  const t = usePhrases('configuration')
  const format = useFormat()
  const mayWrite = useMay()('zones.write')
  return (
    <>
      <ScrollRegion label={t('observed')}>
        <table className="w-full text-left">
          <thead className="text-ink-3 text-xs">
            <tr>
              <th className="py-1 pr-3 font-normal">{t('shadow.rule')}</th>
              <th className="num py-1 pr-3 text-right font-normal">
                {t('observed.benign', { requests: format.number(benign) })}
              </th>
              {live > 0 && (
                <>
                  <th className="num py-1 pr-3 text-right font-normal">
                    {t('observed.live', { requests: format.compact(live) })}
                  </th>
                  <th className="num py-1 pr-3 text-right font-normal">{t('shadow.people')}</th>
                </>
              )}
              {mayWrite && <td />}
            </tr>
          </thead>
          <tbody>
            {rules.map((rule) => (
              <Row key={rule.ruleID} zoneId={zoneId} rule={rule} isLive={live > 0} mayWrite={mayWrite} />
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      {mayWrite && (
        <p className="mt-3">
          <Release
            zoneId={zoneId}
            ids={rules.map(({ ruleID }) => ruleID)}
            label={t('observed.releaseAll')}
            title={t('observed.releaseAllTitle', { n: rules.length })}
          />
        </p>
      )}
    </>
  )
}

type RowProps = { zoneId: number; rule: ObservedRule; isLive: boolean; mayWrite: boolean }

function Row({ zoneId, rule: { ruleID, name, isNew, isOfAnswers, benign, live }, isLive, mayWrite }: RowProps) {
  const t = usePhrases('configuration')
  const format = useFormat()
  const change = ({ before, now }: { before: number; now: number }) =>
    isOfAnswers ? '–' : isNew ? format.compact(now) : `${format.compact(before)} → ${format.compact(now)}`
  return (
    <tr className="border-line border-t">
      <th scope="row" className="py-1 pr-3 font-normal">
        <span className="num">{ruleID}</span> <span className="text-ink-2">{name}</span>
        {isNew && <span className="text-ink-3 text-xs"> · {t('observed.new')}</span>}
        {isOfAnswers && <span className="text-ink-3 text-xs"> · {t('observed.answers')}</span>}
      </th>
      <td className="num py-1 pr-3 text-right">{change(benign)}</td>
      {isLive && (
        <>
          <td className="num py-1 pr-3 text-right">{change(live)}</td>
          <td className="num py-1 pr-3 text-right">{isOfAnswers ? '–' : format.compact(live.people)}</td>
        </>
      )}
      {mayWrite && (
        <td className="py-1 text-right">
          <Release
            zoneId={zoneId}
            ids={[ruleID]}
            label={t('observed.release')}
            title={t('observed.releaseOne', { rule: String(ruleID) })}
          />
        </td>
      )}
    </tr>
  )
}

type ReleaseProps = { zoneId: number; ids: number[]; label: string; title: string }

function Release({ zoneId, ids, label, title }: ReleaseProps) {
  const t = usePhrases('configuration')
  const release = useChange(
    observedRules.release,
    observedRules.list,
    zoneConfiguration.status,
    zoneConfiguration.history,
  )
  return (
    <ConfirmButton
      size="sm"
      label={label}
      ariaLabel={title}
      title={title}
      consequence={t('observed.releaseText')}
      confirmLabel={t('observed.release')}
      onConfirm={() => release.mutateAsync({ zoneId, body: { ids } })}
    />
  )
}
