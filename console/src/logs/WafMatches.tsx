/** The rules of the WAF that matched a request, each with its score and the value that it was found in. */

export function WafMatches({ text }: { text: string }) {
  return (
    <ul className="mono">
      {text.split(' ').map((match) => {
        const [rule, score, ...where] = match.split(':')
        return (
          <li key={match} className="break-all">
            <b>{rule}</b> {rule === 'budget' ? score : `+${score} ${where.join(':')}`}
          </li>
        )
      })}
    </ul>
  )
}
