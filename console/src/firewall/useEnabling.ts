/** A rule's switch: in or out of force at once, and back by a press while it is said. */
import { usePhrases } from '../app/phrases.ts'
import { showFault } from '../kit/faults.tsx'
import { toasts } from '../kit/toasts.ts'

export function useEnabling<Rule extends { enabled: boolean }>(
  save: (rule: Rule, enabled: boolean) => Promise<unknown>,
): (rule: Rule, enabled: boolean) => void {
  const t = usePhrases('firewall')
  return (rule, enabled) => {
    const back = () => void save(rule, !enabled).catch(showFault)
    save(rule, enabled)
      .then(() => toasts.undo(t(enabled ? 'done.inForce' : 'done.outOfForce'), back))
      .catch(showFault)
  }
}
