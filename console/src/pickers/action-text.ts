/** What was done, in words: of the audit log, and of a site's history. */
import type { Say } from '../platform/phrases.ts'

/** The text of a key that may not be there. */
export const sayIfKnown = (t: Say<'audit'>, key: string): string | undefined => {
  const text = (t as (key: string) => string)(key)
  return text === key ? undefined : text
}

/** The action's own name where it has no words yet. */
export const actionText = (action: string, t: Say<'audit'>): string => sayIfKnown(t, `act.${action}`) ?? action
