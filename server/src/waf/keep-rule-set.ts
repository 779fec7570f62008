/** Stores a compiled rule set among those of an operator, to be tried and chosen. */
import type { RuleSetSigner } from '@breakwater/contract/nodes/rule-set-publishers.ts'
import type { Database } from '../db/database.ts'
import type { RuleSet } from './rule-set.ts'

type Kept = {
  operatorId: number
  fileName: string
  actor: string
  signer?: RuleSetSigner | undefined
  /** An update of the installed package, which nobody uploaded. */
  isUpdate?: boolean
}

/** Returns its id. */
export async function keepRuleSet(
  db: Database,
  { part, texts, leftOut, objects: { requests, responses }, usesControls }: RuleSet,
  { operatorId, fileName, actor, signer, isUpdate = false }: Kept,
): Promise<number> {
  const { id } = await db
    .insertInto('wafRuleSets')
    .values({
      ...{ operatorId, name: part.name, fileName: fileName.slice(0, 200), actor, usesControls },
      ...{ hash: Buffer.from(requests.hash, 'hex'), part: requests.bytes, texts: JSON.stringify(texts) },
      ...{ leftOut: JSON.stringify(leftOut), isUpdate },
      ...(signer && { signer: JSON.stringify(signer) }),
      ...(responses && { responsesHash: Buffer.from(responses.hash, 'hex'), responses: responses.bytes }),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Hashes of the rule sets that an operator has. */
export async function ruleSetHashes(db: Database, operatorId: number): Promise<string[]> {
  const rows = await db.selectFrom('wafRuleSets').select('hash').where('operatorId', '=', operatorId).execute()
  return rows.map(({ hash }) => hash.toString('hex'))
}
