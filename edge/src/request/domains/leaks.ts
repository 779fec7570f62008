/** What the WAF found in an answer: recorded when it is read from the origin, read when answering and logging. */
import type { Leak } from '../firewall/waf/responses.ts'

const dict = ngx.shared.peers!

/** Longer than from an answer's last byte to its log row. */
const keptSeconds = 60

/** Records it by the request's id. `isRefused`: the answer was blocked, or cut off. */
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
