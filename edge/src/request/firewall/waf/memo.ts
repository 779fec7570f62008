/** Caches the results of transformations within one request, by text: many rules need the same ones. */
import type { WafTransform } from '@breakwater/contract/edge/waf-rules.ts'
import type { WafTexts } from '../../lib/waf-tools.ts'

export type Memo = Record<string, Record<string, string>>

export function transformed(memo: Memo, name: WafTransform, text: string, texts: WafTexts): string {
  let known = memo[name]
  if (known === undefined) {
    known = {}
    memo[name] = known
  }
  const before = known[text]
  if (before !== undefined) return before
  const made = texts.transform(name, text)
  known[text] = made
  return made
}
