/** The verdict on a traced request, what is known of its visitor, each guard in order, and what the cache would do. */
import type { cacheSimulation } from '@breakwater/contract/delivery/cache-simulation.ts'
import type { requestTrace } from '@breakwater/contract/delivery/request-trace.ts'
import type { GuardStep } from '@breakwater/contract/edge/explain.ts'
import type { Reply } from '@breakwater/contract/endpoint.ts'
import { Fact, Facts, Panel } from '../kit/Panel.tsx'
import { Status } from '../kit/Status.tsx'
import { CountryAttribution } from '../pickers/country.tsx'
import { logWord } from '../pickers/log-words.ts'
import { CacheOutcome } from '../pickers/question/CacheOutcome.tsx'
import { useCountryName } from '../platform/countries.ts'
import { usePhrases } from '../platform/phrases.ts'
import { useSiteHere } from '../platform/site-here.ts'
import { GuardSteps, verdictTones, WayFacts } from './GuardSteps.tsx'
import { RuleLink } from './RuleLink.tsx'
import { ShieldRule } from './ShieldRule.tsx'

export type Traced = {
  trace: Reply<typeof requestTrace.trace>
  /** Undefined without permission to read cache rules. */
  cache: Reply<typeof cacheSimulation.simulate> | undefined
}

const decides: ReadonlySet<GuardStep['outcome']> = new Set(['block', 'challenge', 'redirect', 'answer'])

export function TraceOutcome({ siteId, traced: { trace, cache } }: { siteId: number; traced: Traced }) {
  const t = usePhrases('logs')
  const { explanation, host, path } = trace
  const { verdict, steps, route } = explanation
  const deciding = verdict === 'pass' ? undefined : steps.find(({ outcome }) => decides.has(outcome))
  const isDropped = deciding?.guard === 'bansOfZone'
  return (
    <div className="mt-3 grid gap-3">
      <Panel title={t('explain.verdict')}>
        <p className="mb-3 flex flex-wrap items-center gap-x-3 text-[15px]">
          <Status tone={verdictTones[verdict]}>
            <b>{t(`explain.verdict.${verdict}`)}</b>
          </Status>
          <span className="text-ink-2">
            {deciding
              ? t(isDropped ? 'explain.dropped' : 'explain.decided', { guard: logWord('guard', deciding.guard, t) })
              : t(steps.some(({ outcome }) => outcome === 'allow') ? 'trace.allowed' : 'explain.nothing')}
          </span>
        </p>
        <Facts>
          <Fact name={t('trace.url')}>
            <code className="mono break-all">
              {host}
              {path}
            </code>
          </Fact>
          {deciding && deciding.rule > 0 && <DecidingRule step={deciding} />}
          <WayFacts explanation={explanation} />
          <VisitorFacts trace={trace} />
        </Facts>
        {trace.visitor.country !== 'ZZ' && (
          <p className="mt-2">
            <CountryAttribution />
          </p>
        )}
      </Panel>
      <Panel title={t('explain.steps')}>
        <GuardSteps siteId={siteId} steps={steps} />
        <p className="mt-2 text-ink-2">{t('trace.counts')}</p>
      </Panel>
      {cache && (
        <Panel title={t('trace.cache')}>
          {verdict === 'pass' && !route ? (
            <CacheOutcome told={cache} />
          ) : (
            <p className="text-ink-2">{t('trace.noCache')}</p>
          )}
        </Panel>
      )}
    </div>
  )
}

function DecidingRule({ step: { guard, rule } }: { step: GuardStep }) {
  const t = usePhrases('logs')
  const here = useSiteHere()
  return (
    <Fact name={t('rule')}>
      {guard === 'apiShield' || !here ? (
        <ShieldRule rule={rule} />
      ) : (
        <RuleLink site={here} guard={guard} rule={rule}>
          {rule}
        </RuleLink>
      )}
    </Fact>
  )
}

function VisitorFacts({ trace: { visitor, isKnownVisitor, isUnderAttack } }: { trace: Traced['trace'] }) {
  const t = usePhrases('logs')
  const countryName = useCountryName()
  const { address, country, asn, network, score, isBanned } = visitor
  return (
    <>
      <Fact name={t('trace.address')}>
        <code className="mono">{address}</code>
        {country !== 'ZZ' && ` · ${countryName(country)}`}
        {asn > 0 && ` · AS${asn} ${network}`}
      </Fact>
      {score > 0 && <Fact name={t('trace.score')}>{score}</Fact>}
      {isBanned && <Fact name={t('before.ban')}>{t('trace.banned')}</Fact>}
      {isUnderAttack && <Fact name={t('before.attack')}>{t('trace.attack')}</Fact>}
      {!isKnownVisitor && <Fact name={t('trace.left')}>{t('trace.unknown')}</Fact>}
    </>
  )
}
