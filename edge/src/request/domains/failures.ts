/** Why a request got no answer from its origins: told by who asked them, read by who answers and logs. */
import type { OriginFailure } from '@breakwater/contract/edge/origin-failures.ts'

const dict = ngx.shared.peers!

/** Longer than anything between a failure and its answer. */
const keptSeconds = 60

/** Notes which address was asked, and why it gave no answer, by the request's id. */
export function noteAsked(id: string, address: string, failure: OriginFailure | ''): void {
  dict.set(`t${id}`, `${address} ${failure}`, keptSeconds)
}

/** What was noted of a request last. */
export function askedBy(id: string): { address: string; failure: OriginFailure | '' } | undefined {
  const [told] = dict.get(`t${id}`)
  if (told === undefined) return undefined
  const text = told as string
  const space = text.indexOf(' ')
  return { address: text.substring(0, space), failure: text.substring(space + 1) as OriginFailure | '' }
}
