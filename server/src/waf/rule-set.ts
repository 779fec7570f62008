/** A compiled rule set of the WAF, and the object that nodes get of it. */
import { canonicalJson, sha256 } from '../publish/canonical.ts'
import type { Compiled } from './compile.ts'

export type RuleSet = Compiled & { object: { hash: string; bytes: Buffer } }

/** What nodes get, named by its content. */
export function objectOf(part: Compiled['part']): RuleSet['object'] {
  const bytes = Buffer.from(canonicalJson(part))
  return { hash: sha256(bytes).toString('hex'), bytes }
}
