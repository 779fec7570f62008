/**
 * Pins the default to a release of Debian's package. It is taken at the first start and stays: an update of the package
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

/** What the list of rule sets shows for an update instead of a file name and an uploader. */
const [packageName, pinActor] = ['modsecurity-crs', 'system']

type Options = {
  /** The operator of the machine wants the default to follow the installed package, at once and everywhere. */
  follows: boolean
  logger: Pick<Logger, 'info' | 'warn'>
  /** The installed files; undefined if the package is not installed. */
  files: RuleSetFiles | undefined
}

/** Must be called at each start, before anything uses the default. */
export function pinRuleSet(db: Database, { follows, logger, files }: Options): Promise<void> {
  return withSystem(db, async (tx) => {
    if (!files) return
    // If two processes start together, one pins it and the other finds it.
    await tx.selectFrom('installation').select('id').forUpdate().execute()
    const taken = await tx.selectFrom('coreRuleSet').select(['hash', 'offeredHash', 'offeredAt']).executeTakeFirst()
    const hash = hashOfFiles(files)
    if (taken?.hash.equals(hash)) return
    if (!taken || follows) return await take(tx, files, hash)
    const offeredAt = taken.offeredHash?.equals(hash) ? taken.offeredAt : null
    const operators = await operatorsSince(tx, offeredAt)
    if (offeredAt && operators.length === 0) return
    await tx.updateTable('coreRuleSet').set({ offeredHash: hash, offeredAt: new Date() }).execute()
    const made = compiledOf(files, logger)
    if (made) await offer(tx, made, operators, logger)
  })
}

/**
 * Operators created since the update was last offered: those that already existed and removed it are not offered it
 * again.
 */
async function operatorsSince(db: Database, offeredAt: Date | null): Promise<number[]> {
  const operators = await db
    .selectFrom('tenants')
    .select('id')
    .where('kind', '=', 'operator')
    .$if(offeredAt !== null, (query) => query.where('createdAt', '>', offeredAt))
    .execute()
  return operators.map(({ id }) => id)
}

async function take(db: Database, files: RuleSetFiles, hash: Buffer): Promise<void> {
  const row = { hash, bytes: packFiles(files), offeredHash: null, offeredAt: null, takenAt: new Date() }
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
    // Whatever an update of the package contains, it must not keep the control plane from starting.
    logger.warn({ err: error }, `nodes cannot ask the rules of the update of ${packageName}; the default stays`)
    return undefined
  }
}

async function offer(db: Database, made: RuleSet, operators: number[], logger: Options['logger']): Promise<void> {
  for (const operatorId of operators) {
    const hashes = await ruleSetHashes(db, operatorId)
    if (hashes.includes(made.objects.requests.hash)) continue
    const kept = { operatorId, fileName: packageName, actor: pinActor, isUpdate: true }
    if (hashes.length < ruleSetsMax) await keepRuleSet(db, made, kept)
    else logger.warn({ operatorId, name: made.part.name }, 'an operator has no room for a rule set that was installed')
  }
  logger.info({ name: made.part.name, operators: operators.length }, `an update of ${packageName} can be tried`)
}
