/**
 * The WAF rules that matched a request, each with its score and the value it was found in, and the exceptions that
 * applied.
 */
import { readWaf } from '@breakwater/contract/modules/waf-exceptions.ts'
import { useRuleNames } from '../pickers/waf-rule-names.ts'
import { usePhrases } from '../platform/phrases.ts'

export function WafMatches({ siteId, text }: { siteId: number; text: string }) {
  const t = usePhrases('logs')
  const nameOf = useRuleNames(siteId)
  const { matches, exceptions, budget } = readWaf(text)
  return (
    <ul className="mono">
      {matches.map(({ text: match, ruleID, score, where, isNew }) => (
        <li key={match} className="break-all">
          <b>{ruleID}</b> {`+${score} ${where}`}
          {isNew && <span className="text-ink-3">{` · ${t('wafNew')}`}</span>}
          <span className="block font-sans text-ink-3">{nameOf(ruleID)}</span>
        </li>
      ))}
      {budget !== undefined && (
        <li>
          <b>budget</b> {budget}
        </li>
      )}
      {exceptions.map((id) => (
        <li key={`except ${id}`} className="text-ink-3">
          {t('waf.except', { id })}
        </li>
      ))}
    </ul>
  )
}
