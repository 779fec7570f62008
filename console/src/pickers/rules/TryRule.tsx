/**
 * Tests the rule in a form against the last 24 hours before it is saved: how many requests, from whom, and who of them
 * had passed a challenge.
 */
import { type Backtest, backtest } from '@breakwater/contract/firewall/backtest.ts'
import type { TriedKind } from '@breakwater/contract/firewall/kinds.ts'
import { useFormContext } from 'react-hook-form'
import { Button } from '../../kit/Button.tsx'
import { showFault } from '../../kit/faults.tsx'
import { StatRow } from '../../kit/StatRow.tsx'
import { useChange } from '../../platform/calls.ts'
import { useFormat } from '../../platform/format.ts'
import { usePhrases } from '../../platform/phrases.ts'
import { useRuleKinds } from '../../platform/rule-kinds.ts'
import { unitName } from '../sentences/part-words.ts'
import { useRuleSay } from './use-rule-words.ts'

type Props = {
  siteId: number
  /** Set if the rule belongs to a domain. */
  domainId: number | undefined
  kind: TriedKind
  /** The rule that it would replace. */
  ruleId: number | undefined
}

export function TryRule({ siteId, domainId, kind, ruleId }: Props) {
  const t = usePhrases('rules')
  const { getValues, trigger } = useFormContext()
  const trial = useChange(backtest.run)

  async function tryIt() {
    if (!(await trigger())) return
    const rule = getValues()
    const body = {
      kind,
      rule,
      ...(domainId !== undefined && { domainId }),
      ...(ruleId !== undefined && { id: ruleId }),
    }
    trial.mutate({ siteId, body }, { onError: showFault })
  }
  return (
    <section className="mb-4 border-line border-t pt-4" aria-live="polite">
      <div className="flex flex-wrap items-center gap-3">
        <Button onClick={tryIt} busy={trial.isPending}>
          {t('try')}
        </Button>
        <p className="min-w-0 flex-1 text-ink-3 text-xs">{t('try.help')}</p>
      </div>
      {trial.data && <Outcome found={trial.data} isAllow={kind === 'allowRules'} />}
    </section>
  )
}

/** What a rule would have done. */
export function Outcome({ found, isAllow }: { found: Backtest; isAllow: boolean }) {
  const t = usePhrases('rules')
  const format = useFormat()
  const { would, matched } = found
  const acts = isAllow ? matched : would.block + would.challenge
  if (found.requests === 0) return <p className="mt-3 text-ink-2">{t('try.none')}</p>
  const stats = [
    { key: 'requests', label: t('try.requests'), value: format.number(found.requests) },
    { key: 'acts', label: t(isAllow ? 'try.allows' : 'try.acts'), value: format.number(acts) },
    { key: 'addresses', label: t('try.addresses'), value: format.number(found.addresses) },
    { key: 'before', label: t('try.before'), value: format.number(found.alreadyRefused) },
    { key: 'passed', label: t('try.passed'), value: format.number(found.passedChallenge) },
  ]
  return (
    <div className="mt-3 space-y-3">
      <StatRow stats={stats} />
      {found.earlier > 0 && <Earlier found={found} />}
      {found.sampled.isSampled && <p className="text-ink-3 text-xs">{t('try.sampled', { n: found.sampled.oneIn })}</p>}
      {found.isPartial && <p className="text-ink-3 text-xs">{t('try.partial')}</p>}
      <ul className="num space-y-1">
        {found.topAddresses.slice(0, 5).map(({ name, requests }) => (
          <li key={name} className="flex justify-between gap-4">
            <span className="mono truncate">{name}</span>
            <span className="text-ink-2">{format.number(requests)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** Requests that the rule matches but other rules decide first: without them it looks as if it matched nothing. */
function Earlier({ found }: { found: Backtest }) {
  const t = usePhrases('rules')
  const kinds = useRuleKinds()
  const say = useRuleSay()
  return (
    <p className="text-warn">
      {t('try.match', { n: found.matched + found.earlier })}{' '}
      {found.earlierBy
        .map(({ guard, rule, isAllowed, requests }) => {
          const named = {
            rule: t('try.numbered', { kind: unitName(kinds, guard, say), id: String(rule) }),
            n: requests,
          }
          return t(isAllowed ? 'try.allowedFirst' : 'try.refusedFirst', named)
        })
        .join(t('changes.joined'))}
    </p>
  )
}
