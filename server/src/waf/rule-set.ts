/** A compiled WAF rule set, and its objects for nodes. */
import type { WafRulesPart } from '@breakwater/contract/edge/waf-rules.ts'
import { canonicalJson, sha256 } from '../publish/canonical.ts'
import type { CompiledFolder } from './compile-folder.ts'

/** Bytes, and their SHA-256 as the name. */
export type RuleSetObject = { hash: string; bytes: Buffer }
/** What nodes get: request rules, and response rules if there are any. */
export type RuleSetObjects = { requests: RuleSetObject; responses: RuleSetObject | undefined }
export type RuleSet = CompiledFolder & { objects: RuleSetObjects; usesControls: boolean }

/** A compiled folder with its objects for nodes. */
export const completed = (made: CompiledFolder): RuleSet => ({
  ...made,
  objects: objectsOf(made),
  usesControls: usesControls(made),
})

function objectsOf({ part, responses }: Pick<CompiledFolder, 'part' | 'responses'>): RuleSetObjects {
  return { requests: objectOf(part), responses: responses && objectOf(responses) }
}

/** Whether nodes must support excluding rules, or values, if another rule matched. */
export const usesControls = ({ part, responses }: Pick<CompiledFolder, 'part' | 'responses'>): boolean =>
  [part, responses].some((one) =>
    one?.rules.some(
      ({ unlessMatched, conditions }) =>
        unlessMatched !== undefined ||
        conditions.some(({ targets }) => targets.some(({ ifMatched }) => ifMatched !== undefined)),
    ),
  )

function objectOf(part: WafRulesPart): RuleSetObject {
  const bytes = Buffer.from(canonicalJson(part))
  return { hash: sha256(bytes).toString('hex'), bytes }
}
