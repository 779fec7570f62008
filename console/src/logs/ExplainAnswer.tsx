/** The verdict, each guard in order, the rule as it was, and the log row. */
import type { GuardStep } from '@breakwater/contract/edge/explain.ts'
import type { Reply } from '@breakwater/contract/endpoint.ts'
import type { accessLog } from '@breakwater/contract/logs/access.ts'
import { useFormat } from '../app/format.ts'
import { usePhrases } from '../app/phrases.ts'
import { usePlaces } from '../app/places.ts'
import { Diff } from '../kit/Diff.tsx'
import { Link } from '../kit/Link.tsx'
import { Marked } from '../kit/Marked.tsx'
import { Fact, Facts, Panel } from '../kit/Panel.tsx'
import { Status, type Tone } from '../kit/Status.tsx'
import { logWord } from '../pickers/log-words.ts'
import { fieldsOfRule, isRuleKind, useRuleWords } from '../pickers/rules/rule-words.ts'
import { RowFacts } from './RowFacts.tsx'

const outcomeTones: Record<GuardStep['outcome'], Tone> = {
  passed: 'ok',
  skipped: 'mute',
  block: 'bad',
  challenge: 'warn',
  observe: 'warn',
  allow: 'ok',
}
const verdictTones = { pass: 'ok', block: 'bad', challenge: 'warn', drop: 'bad' } as const

export function ExplainAnswer({ answer }: { answer: Reply<typeof accessLog.explain> }) {
  const t = usePhrases('logs')
  const format = useFormat()
  const places = usePlaces()
  const { siteID, siteName, node, revision, time, guard, rule, cause, ruleBody, row, explanation } = answer
  const action = row?.action
  // What became of it then, where that is logged; asked again, rules that count may say otherwise.
  const happened = action === 'block' || action === 'challenge' || action === 'drop' ? action : undefined
  const isOtherNow = happened && explanation?.steps.some((step) => step.guard === guard && step.outcome === 'passed')
  const verdict = happened ?? explanation?.verdict ?? (cause > 0 ? 'block' : 'pass')
  return (
    <div className="grid gap-3">
      <Panel
        title={t('explain.verdict')}
        aside={
          <Link to={places.site(siteID, siteName)} className="text-xs">
            {t('explain.openSite')}
          </Link>
        }
      >
        <p className="mb-3 flex flex-wrap items-center gap-x-3 text-[15px]">
          <Status tone={verdictTones[verdict]}>
            <b>{t(`explain.verdict.${verdict}`)}</b>
          </Status>
          <span className="text-ink-2">
            {guard ? t('explain.decided', { guard: logWord('guard', guard, t) }) : t('explain.nothing')}
          </span>
        </p>
        <Facts>
          <Fact name={t('site')}>{siteName}</Fact>
          {rule > 0 && <Fact name={t('rule')}>{rule}</Fact>}
          {cause > 0 && <Fact name={t('cause')}>{logWord('cause', String(cause), t)}</Fact>}
          <Fact name={t('revision')}>{revision}</Fact>
          <Fact name={t('node')}>{node}</Fact>
          <Fact name={t('time')}>{format.moment(time)}</Fact>
        </Facts>
      </Panel>
      <Panel title={t('explain.steps')}>
        {explanation ? <GuardSteps steps={explanation.steps} /> : <p className="text-ink-2">{t('explain.noSteps')}</p>}
        {isOtherNow && <p className="mt-2 text-ink-2">{t('explain.counts')}</p>}
      </Panel>
      {rule > 0 && (
        <Panel title={t('explain.rule')}>
          {ruleBody === null || ruleBody === undefined ? (
            <p className="text-ink-2">{t('explain.noRule')}</p>
          ) : (
            <ExplainedRule guard={guard} body={ruleBody} />
          )}
        </Panel>
      )}
      <Panel title={t('explain.row')}>
        {row ? <RowFacts row={row} /> : <p className="text-ink-2">{t('explain.noRow')}</p>}
      </Panel>
    </div>
  )
}

/** The rule as it was, as its list says it, and below that field by field. */
function ExplainedRule({ guard, body }: { guard: string; body: unknown }) {
  const t = usePhrases('logs')
  const tRules = usePhrases('rules')
  const words = useRuleWords()
  return (
    <>
      {isRuleKind(guard) && (
        <p className="mb-3">
          <Marked text={tRules('sentence', words(guard, fieldsOfRule(body)))} />
        </p>
      )}
      <Diff label={t('explain.rule')} before={body} after={body} />
    </>
  )
}

function GuardSteps({ steps }: { steps: readonly GuardStep[] }) {
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
              {t('rule')} {step.rule}
              {step.cause > 0 && ` · ${t('cause')} ${logWord('cause', String(step.cause), t)}`}
            </span>
          )}
        </li>
      ))}
    </ol>
  )
}
