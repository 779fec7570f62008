/**
 * The rule set of sites whose zone chose none: the OWASP Core Rule Set from Debian's package `modsecurity-crs`, as it
 * was when it was pinned (`pin-rule-set.ts`).
 */
import type { Database } from '../db/database.ts'
import { withSystem } from '../db/database.ts'
import { Fault } from '../http/fault.ts'
import { compileFolder } from './compile-folder.ts'
import { installedFiles, type RuleSetFiles, unpackFiles } from './installed-rule-set.ts'
import { completed, type RuleSet } from './rule-set.ts'

export const coreRuleSetName = 'OWASP CRS'

let taken: RuleSetFiles | undefined
let compiled: RuleSet | undefined

/** Makes this process use the pinned set instead of the installed one. Must be called before anything is served. */
export async function loadCoreRuleSet(db: Database): Promise<void> {
  const row = await withSystem(db, (tx) => tx.selectFrom('coreRuleSet').select('bytes').executeTakeFirst())
  taken = row && unpackFiles(row.bytes)
  compiled = undefined
}

/**
 * Compiled once per process. Throws a fault if there is none, and an error with the location if a rule is not
 * supported.
 */
export function coreRuleSet(): RuleSet {
  if (!compiled) {
    const files = taken ?? installedFiles()
    if (!files) throw new Fault('parameterError', 'the package modsecurity-crs is not installed')
    compiled = completed(compileFolder(files, coreRuleSetName))
  }
  return compiled
}
