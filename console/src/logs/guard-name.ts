/** What a guard of the edge is called. */
import type { Say } from '../app/phrases.ts'

const guards = ['protocol', 'allowRules', 'denyRules', 'rateRules', 'bodyRules', 'challenge'] as const

export function guardName(guard: string, t: Say<'logs'>): string {
  const known = guards.find((one) => one === guard)
  return known ? t(`guard.${known}`) : guard
}
