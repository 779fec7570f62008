/** What guards and modules decided about a request, one by one, and its further handling if they let it pass. */
import type { Explanation, GuardStep } from '@breakwater/contract/edge/explain.ts'
import { Fact } from '../kit/Panel.tsx'
import { Status, type Tone } from '../kit/Status.tsx'
import { logWord } from '../pickers/log-words.ts'
import { usePhrases } from '../platform/phrases.ts'
import { ShieldRule } from './ShieldRule.tsx'
import { WafMatches } from './WafMatches.tsx'

const outcomeTones: Record<GuardStep['outcome'], Tone> = {
  passed: 'ok',
  skipped: 'mute',
  block: 'bad',
  challenge: 'warn',
  observe: 'warn',
  allow: 'ok',
  redirect: 'info',
  answer: 'info',
  rewrite: 'info',
}
export const verdictTones = {
  pass: 'ok',
  block: 'bad',
  challenge: 'warn',
  drop: 'bad',
  redirect: 'info',
  answer: 'info',
} as const

/** Where it is redirected, what of it reaches the origin, and the bandwidth limit of its response. */
export function WayFacts({ explanation }: { explanation: Explanation }) {
  const t = usePhrases('logs')
  return (
    <>
      {explanation.location && (
        <Fact name={t('explain.location')}>
          <code className="mono break-all">{explanation.location}</code>
        </Fact>
      )}
      {explanation.bandwidthLimit !== undefined && (
        <Fact name={t('explain.bandwidthLimit')}>{explanation.bandwidthLimit}</Fact>
      )}
      {explanation.route && <Fact name={t('explain.route')}>{t(`explain.route.${explanation.route}`)}</Fact>}
      {explanation.originTarget && (
        <Fact name={t('explain.originTarget')}>
          <code className="mono break-all">{explanation.originTarget}</code>
        </Fact>
      )}
    </>
  )
}

export function GuardSteps({ siteId, steps }: { siteId: number; steps: readonly GuardStep[] }) {
  const t = usePhrases('logs')
  return (
    <ol className="divide-y divide-line">
      {steps.map((step, index) => (
        <li
          key={`${step.guard}-${step.phase}`}
          className="flex min-h-9 flex-wrap items-center gap-x-4 gap-y-0.5 max-sm:py-1.5"
        >
          <span aria-hidden className="num w-5 text-right text-ink-3">
            {index + 1}
          </span>
          <span className="min-w-36 font-medium">{logWord('guard', step.guard, t)}</span>
          <span className="min-w-24 text-ink-3 max-sm:hidden">{t(`phase.${step.phase}`)}</span>
          <span className="max-sm:ml-auto">
            <Status tone={outcomeTones[step.outcome]}>{t(`outcome.${step.outcome}`)}</Status>
          </span>
          {step.rule > 0 && (
            <span className="num ml-auto text-ink-2 max-sm:ml-0 max-sm:w-full max-sm:pl-9">
              {step.guard === 'apiShield' ? (
                <ShieldRule rule={step.rule} detail={step.detail} />
              ) : (
                `${t('rule')} ${step.rule}`
              )}
              {step.cause > 0 && ` · ${t('cause')} ${logWord('cause', String(step.cause), t)}`}
            </span>
          )}
          {step.bot && <span className="w-full pl-9 text-ink-2">{t('explain.bot', { bot: step.bot })}</span>}
          {step.waf && (
            <div className="w-full pb-1.5 pl-9 text-ink-2">
              <WafMatches siteId={siteId} text={step.waf.text} />
            </div>
          )}
        </li>
      ))}
    </ol>
  )
}
