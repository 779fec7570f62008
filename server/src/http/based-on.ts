/** Refuses to overwrite a change that the caller has not seen. */
import { isDeepStrictEqual } from 'node:util'
import type { BasedOn } from '@breakwater/contract/based-on.ts'
import { Fault } from './fault.ts'

/** The value as in a response: without what JSON cannot represent. */
const asAnswered = (value: unknown): unknown => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)))

/**
 * `basedOn` has fields as the caller read them, `now` their current values. Throws 409 if they differ, and does nothing
 * if the caller sent none. Call it under a lock, so that `now` stays current until the change is saved.
 */
export function requireUnchanged(basedOn: BasedOn, now: object, message = 'The settings were changed meanwhile'): void {
  const held = new Map(Object.entries(now))
  const isSame = Object.entries(basedOn ?? {}).every(([field, value]) =>
    isDeepStrictEqual(value, asAnswered(held.get(field))),
  )
  if (!isSame) throw changedMeanwhile(message)
}

export const changedMeanwhile = (message: string): Fault =>
  new Fault('parameterError', [{ field: 'basedOn', reason: 'changedMeanwhile' }], { status: 409, message })
