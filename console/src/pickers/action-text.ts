/** Describes actions in words, for the audit log and a site's history. */
import type { Say } from '../platform/phrases.ts'

/** Returns the text of a key that may not exist. */
export const sayIfKnown = (t: Say<'audit'>, key: string): string | undefined => {
  const text = (t as (key: string) => string)(key)
  return text === key ? undefined : text
}

/** Returns the action's own name if it has no text. */
export const actionText = (action: string, t: Say<'audit'>): string => sayIfKnown(t, `act.${action}`) ?? action
