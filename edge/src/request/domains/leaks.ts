/** What the WAF found in an answer: told by who reads it from the origin, read by who answers and logs. */
import type { Leak } from '../firewall/waf/responses.ts'

const dict = ngx.shared.peers!

/** Longer than an answer takes from its last byte to its row. */
const keptSeconds = 60

/** Notes it by the request's id. `isRefused`: the answer did not pass, or not to its end. */
export function noteLeak(id: string, { rule, score, text }: Leak, isRefused: boolean): void {
  dict.set(`w${id}`, `${isRefused ? 1 : 0} ${rule} ${score} ${text}`, keptSeconds)
}

export function leakOf(id: string): Leak | undefined {
  const [told] = dict.get(`w${id}`)
  if (told === undefined) return undefined
  const words = (told as string).split(' ')
  const [isRefused, rule, score] = words
  const text = words.slice(3).join(' ')
  return { isRefused: isRefused === '1', rule: tonumber(rule) ?? 0, score: tonumber(score) ?? 0, text }
}
