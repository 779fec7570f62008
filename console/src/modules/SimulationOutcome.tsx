/** What a change of a WAF module would have done to the requests of the last 24 hours. */
import type { WafSimulation } from '@breakwater/contract/modules/waf-simulation.ts'
import { StatRow } from '../kit/StatRow.tsx'
import { Tag } from '../kit/Status.tsx'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'

export function SimulationOutcome({ found }: { found: WafSimulation }) {
  const t = usePhrases('modules')
  const format = useFormat()
  const { refused, passing, refusedThen, addresses, people, attacks, unsure, isPartial, examples } = found
  const stats = [
    { key: 'passing', label: t('waf.try.passing', { refused: format.number(refused) }), value: format.number(passing) },
    { key: 'addresses', label: t('waf.try.addresses'), value: format.number(addresses) },
    { key: 'people', label: t('waf.try.people'), value: format.number(people) },
    { key: 'attacks', label: t('waf.try.attacks'), value: format.number(attacks) },
  ]
  if (refusedThen > 0)
    stats.push({ key: 'refusedThen', label: t('waf.try.refusedThen'), value: format.number(refusedThen) })
  return (
    <div className="mt-3 space-y-3">
      <StatRow stats={stats} />
      {unsure > 0 && <p className="text-ink-3 text-xs">{t('waf.try.unsure', { n: unsure })}</p>}
      {isPartial && <p className="text-ink-3 text-xs">{t('waf.try.partial', { n: found.rows })}</p>}
      <ul className="space-y-1">
        {examples.slice(0, 5).map(({ row, address, method, path, isAttack, isPerson }) => (
          <li key={row} className="flex flex-wrap items-center gap-x-3">
            <span className="mono">{address}</span>
            <span className="mono min-w-0 flex-1 break-all text-ink-2">
              {method} {path}
            </span>
            {isAttack && <Tag>{t('waf.try.attack')}</Tag>}
            {isPerson && <Tag>{t('waf.try.person')}</Tag>}
          </li>
        ))}
      </ul>
    </div>
  )
}
