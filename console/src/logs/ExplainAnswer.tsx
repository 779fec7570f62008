/** The verdict, each guard in order, the rule as it was at that time, and the log row. */
import type { Reply } from '@breakwater/contract/endpoint.ts'
import type { accessLog, Before } from '@breakwater/contract/logs/access.ts'
import { readWaf } from '@breakwater/contract/modules/waf-exceptions.ts'
import { Diff } from '../kit/Diff.tsx'
import { Link } from '../kit/Link.tsx'
import { Marked } from '../kit/Marked.tsx'
import { Fact, Facts, Panel } from '../kit/Panel.tsx'
import { Status } from '../kit/Status.tsx'
import { logWord } from '../pickers/log-words.ts'
import { useRuleWords } from '../pickers/rules/use-rule-words.ts'
import { fieldsOfRule } from '../pickers/sentences/rule-words.ts'
import { useExplainPlace } from '../platform/explain-place.ts'
import { useFormat } from '../platform/format.ts'
import { usePhrases } from '../platform/phrases.ts'
import { usePlaces } from '../platform/places.ts'
import { useRuleKinds } from '../platform/rule-kinds.ts'
import { useMay } from '../platform/session.ts'
import { GuardSteps, verdictTones, WayFacts } from './GuardSteps.tsx'
import { RowFacts } from './RowFacts.tsx'
import { type OfRule, RuleLink } from './RuleLink.tsx'
import { ShieldRule } from './ShieldRule.tsx'
import { WafMatches } from './WafMatches.tsx'
import { ZoneFacts } from './ZoneFacts.tsx'

export function ExplainAnswer({ answer }: { answer: Reply<typeof accessLog.explain> }) {
  const t = usePhrases('logs')
  const format = useFormat()
  const places = usePlaces()
  const may = useMay()
  const { siteID, siteName, node, revision, time, guard, rule, cause, ruleBody, row, explanation } = answer
  const action = row?.action
  // The outcome at that time, if it was logged; evaluated again, rules that count requests may differ.
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
            {guard
              ? t(guard === 'bansOfZone' ? 'explain.dropped' : 'explain.decided', { guard: logWord('guard', guard, t) })
              : t('explain.nothing')}
          </span>
        </p>
        <Facts>
          <Fact name={t('site')}>{siteName}</Fact>
          {explanation && <WayFacts explanation={explanation} />}
          {rule > 0 && guard === 'apiShield' && (
            <Fact name={t('rule')}>
              <ShieldRule rule={rule} />
            </Fact>
          )}
          {rule > 0 && guard !== 'apiShield' && (
            <Fact name={t('rule')}>
              <RuleLink site={{ id: siteID, name: siteName }} guard={guard} rule={rule}>
                {rule}
              </RuleLink>
            </Fact>
          )}
          {cause > 0 && <Fact name={t('cause')}>{logWord('cause', String(cause), t)}</Fact>}
          {row?.waf && (
            <Fact name={t('waf')}>
              <WafMatches siteId={siteID} text={row.waf} />
              {may('modules.write') && readWaf(row.waf).matches.length > 0 && (
                <Link
                  to={places.site(siteID, siteName)}
                  search={{ tab: 'waf', allow: row.id } as never}
                  className="text-accent"
                >
                  {t('detail.allowHere')}
                </Link>
              )}
            </Fact>
          )}
          {row?.originFailure && (
            <Fact name={t('originFailure')}>
              {logWord('originFailure', row.originFailure, t)}{' '}
              {row.originAddress && <code className="mono">{row.originAddress}</code>}
            </Fact>
          )}
          <ZoneFacts byZone={answer.byZone} guard={guard} />
          <BeforeFacts before={answer.before} site={{ id: siteID, name: siteName }} />
          <Fact name={t('revision')}>{revision}</Fact>
          <Fact name={t('node')}>{node}</Fact>
          <Fact name={t('time')}>{format.moment(time)}</Fact>
        </Facts>
      </Panel>
      <Panel title={t('explain.steps')}>
        {explanation ? (
          <GuardSteps siteId={siteID} steps={explanation.steps} />
        ) : (
          <p className="text-ink-2">{t('explain.noSteps')}</p>
        )}
        {isOtherNow && <p className="mt-2 text-ink-2">{t('explain.counts')}</p>}
      </Panel>
      {rule > 0 && guard !== 'apiShield' && (
        <Panel
          title={t('explain.rule')}
          aside={<RuleActs site={{ id: siteID, name: siteName }} guard={guard} rule={rule} address={row?.clientIP} />}
        >
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

/** The data that the guard decided by, besides the request itself. */
function BeforeFacts({ before, site }: { before: Before | null; site: OfRule['site'] }) {
  const t = usePhrases('logs')
  const format = useFormat()
  if (!before) return null
  const { requests, ban, attackSince } = before
  return (
    <>
      {requests && (
        <Fact name={t('before.requests')}>
          {t('before.requestsOf', {
            n: requests.count,
            seconds: format.number(requests.seconds),
            limit: format.number(requests.limit),
          })}
        </Fact>
      )}
      {ban && (
        <Fact name={t('before.ban')}>
          {t('before.banOf', {
            since: format.moment(ban.since),
            until: format.moment(ban.until),
            guard: logWord('guard', ban.guard, t),
          })}{' '}
          <ExplainLink reference={ban.reference} site={site.id} />
        </Fact>
      )}
      {attackSince && <Fact name={t('before.attack')}>{format.moment(attackSince)}</Fact>}
    </>
  )
}

function ExplainLink({ reference, site }: { reference: string; site: number }) {
  const t = usePhrases('logs')
  const { to, search } = useExplainPlace()(reference, site)
  return (
    <Link to={to} search={search as never} className="text-accent">
      {t('before.banReference')}
    </Link>
  )
}

/** What can be done about it: each opens the editor, where the change can be tested before it is saved. */
function RuleActs({ site, guard, rule, address }: OfRule & { address: string | undefined }) {
  const t = usePhrases('logs')
  const places = usePlaces()
  const kinds = useRuleKinds()
  const may = useMay()
  if (!may('firewall.write') || !kinds[guard]?.tab) return null
  const of = { site, guard, rule }
  return (
    <span className="flex flex-wrap gap-x-3 text-xs">
      <RuleLink {...of}>{t('explain.openRule')}</RuleLink>
      <RuleLink {...of} change={{ mode: 'observe' }}>
        {t('explain.observe')}
      </RuleLink>
      {address && guard !== 'allowRules' && (
        <Link
          to={places.site(site.id, site.name)}
          search={{ tab: 'allowList', edit: 'new', rule: { ips: [address] } } as never}
          className="text-accent"
        >
          {t('explain.allow', { ip: address })}
        </Link>
      )}
    </span>
  )
}

/** The rule as it was at that time, as a sentence like in its list, and field by field below. */
function ExplainedRule({ guard, body }: { guard: string; body: unknown }) {
  const t = usePhrases('logs')
  const tRules = usePhrases('rules')
  const kinds = useRuleKinds()
  const words = useRuleWords()
  return (
    <>
      {guard in kinds && (
        <p className="mb-3">
          <Marked text={tRules('sentence', words(guard, fieldsOfRule(body)))} />
        </p>
      )}
      <Diff label={t('explain.rule')} before={body} after={body} />
    </>
  )
}
