/**
 * Which release of Debian's package the default is. It is taken at the first start and stays: an update of the package
 * becomes a rule set that each operator may try, and choose for a zone in steps.
 */
import { ruleSetsMax } from '@breakwater/contract/nodes/rule-sets.ts'
import type { Logger } from 'pino'
import { type Database, withSystem } from '../db/database.ts'
import { compileFolder } from './compile-folder.ts'
import { coreRuleSetName } from './core-rule-set.ts'
import { hashOfFiles, packFiles, type RuleSetFiles } from './installed-rule-set.ts'
import { keepRuleSet, ruleSetHashes } from './keep-rule-set.ts'
import { completed, type RuleSet } from './rule-set.ts'

/** What an update is told by among the rule sets of an operator: in place of a file's name and of who uploaded it. */
export const [packageName, pinActor] = ['modsecurity-crs', 'system']

type Options = {
  /** The operator of the machine wants the default to be what is installed, at once and everywhere. */
  follows: boolean
  logger: Pick<Logger, 'info' | 'warn'>
  /** What is installed; nothing where the package is not. */
  files: RuleSetFiles | undefined
}

/** To be called at each start, before anything asks for the default. */
export function pinRuleSet(db: Database, { follows, logger, files }: Options): Promise<void> {
  return withSystem(db, async (tx) => {
    if (!files) return
    // Two processes that start together: one takes it, the other finds it.
    await tx.selectFrom('installation').select('id').forUpdate().execute()
    const taken = await tx.selectFrom('coreRuleSet').select(['hash', 'offeredHash']).executeTakeFirst()
    const hash = hashOfFiles(files)
    if (taken?.hash.equals(hash)) return
    if (!taken || follows) return await take(tx, files, hash)
    if (taken.offeredHash?.equals(hash)) return
    await tx.updateTable('coreRuleSet').set({ offeredHash: hash }).execute()
    const made = compiledOf(files, logger)
    if (made) await offer(tx, made, logger)
  })
}

async function take(db: Database, files: RuleSetFiles, hash: Buffer): Promise<void> {
  const row = { hash, bytes: packFiles(files), offeredHash: null, takenAt: new Date() }
  await db
    .insertInto('coreRuleSet')
    .values(row)
    .onConflict((on) => on.column('id').doUpdateSet(row))
    .execute()
}

function compiledOf(files: RuleSetFiles, logger: Options['logger']): RuleSet | undefined {
  try {
    return completed(compileFolder(files, coreRuleSetName))
  } catch (error) {
    // Whatever an update of a package holds, it must not keep the control plane from starting.
    logger.warn({ err: error }, `nodes cannot ask the rules of the update of ${packageName}; the default stays`)
    return undefined
  }
}

async function offer(db: Database, made: RuleSet, logger: Options['logger']): Promise<void> {
  const operators = await db.selectFrom('tenants').select('id').where('kind', '=', 'operator').execute()
  for (const { id: operatorId } of operators) {
    const hashes = await ruleSetHashes(db, operatorId)
    if (hashes.includes(made.objects.requests.hash)) continue
    if (hashes.length < ruleSetsMax) await keepRuleSet(db, made, { operatorId, fileName: packageName, actor: pinActor })
    else logger.warn({ operatorId, name: made.part.name }, 'an operator has no room for a rule set that was installed')
  }
  logger.info({ name: made.part.name, operators: operators.length }, `an update of ${packageName} can be tried`)
}
