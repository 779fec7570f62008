/**
 * Why a request got no answer from its origins: recorded by the code that asks them, read when answering and logging.
 */
import type { OriginFailure } from '@breakwater/contract/edge/origin-failures.ts'

const dict = ngx.shared.peers!

/** Longer than anything between a failure and its answer. */
const keptSeconds = 60

/** Records, by the request's id, which address was tried and why it gave no answer. */
export function noteAsked(id: string, address: string, failure: OriginFailure | ''): void {
  dict.set(`t${id}`, `${address} ${failure}`, keptSeconds)
}

/** The last record for a request. */
export function askedBy(id: string): { address: string; failure: OriginFailure | '' } | undefined {
  const [told] = dict.get(`t${id}`)
  if (told === undefined) return undefined
  const text = told as string
  const space = text.indexOf(' ')
  return { address: text.substring(0, space), failure: text.substring(space + 1) as OriginFailure | '' }
}
