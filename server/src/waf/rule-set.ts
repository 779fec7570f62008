/** A compiled rule set of the WAF, and the objects that nodes get of it. */
import type { WafRulesPart } from '@breakwater/contract/edge/waf-rules.ts'
import { canonicalJson, sha256 } from '../publish/canonical.ts'
import type { CompiledFolder } from './compile-folder.ts'

/** Bytes, and the SHA-256 that names them. */
export type RuleSetObject = { hash: string; bytes: Buffer }
/** What nodes get: rules about requests, and those about answers where there are any. */
export type RuleSetObjects = { requests: RuleSetObject; responses: RuleSetObject | undefined }
export type RuleSet = CompiledFolder & { objects: RuleSetObjects; usesControls: boolean }

/** A compiled folder with what nodes get of it. */
export const completed = (made: CompiledFolder): RuleSet => ({
  ...made,
  objects: objectsOf(made),
  usesControls: usesControls(made),
})

function objectsOf({ part, responses }: Pick<CompiledFolder, 'part' | 'responses'>): RuleSetObjects {
  return { requests: objectOf(part), responses: responses && objectOf(responses) }
}

/** Whether nodes must be able to leave rules, or values, out where another rule matched. */
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
