/** The rules of the WAF that matched a request, each with its score and the value that it was found in, and exceptions that did something. */
import { exceptWord } from '@breakwater/contract/edge/waf-words.ts'
import { usePhrases } from '../platform/phrases.ts'

export function WafMatches({ text }: { text: string }) {
  const t = usePhrases('logs')
  return (
    <ul className="mono">
      {text.split(' ').map((match) => {
        const [rule, score, ...where] = match.split(':')
        if (match.startsWith(exceptWord))
          return (
            <li key={match} className="text-ink-3">
              {t('waf.except', { id: score ?? '' })}
            </li>
          )
        return (
          <li key={match} className="break-all">
            <b>{rule}</b> {rule === 'budget' ? score : `+${score} ${where.join(':')}`}
          </li>
        )
      })}
    </ul>
  )
}
