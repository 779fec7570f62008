/**
 * The directives of an uploaded rule set's setup and exclusions that were left out, each with its place and the reason.
 */
import type { RuleSetLeftOut } from '@breakwater/contract/nodes/rule-sets.ts'
import { usePhrases } from '../platform/phrases.ts'

export function LeftOutList({ leftOut }: { leftOut: readonly RuleSetLeftOut[] }) {
  const t = usePhrases('configuration')
  return (
    <ul className="mt-1 text-xs">
      {leftOut.map(({ file, line, what, reason }) => (
        <li key={`${file}:${line}:${what}`} className="wrap-anywhere">
          <span className="mono">{`${file}:${line}: ${what}`}</span>
          {` · ${t(`ruleSet.${reason}`)}`}
        </li>
      ))}
    </ul>
  )
}
