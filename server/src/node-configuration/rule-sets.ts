/** Rule sets of the WAF that an operator uploads: parsed, tried in the lab, and stored until no zone needs them. */
import { type RuleSet, type RuleSetTrial, ruleSets, ruleSetsMax } from '@breakwater/contract/nodes/rule-sets.ts'
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { lockTenant } from '../db/owner-lock.ts'
import { Fault, fieldFault } from '../http/fault.ts'
import { type Feature, implement, implementOpen } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { coreRuleSet } from '../waf/core-rule-set.ts'
import { keepRuleSet, ruleSetHashes } from '../waf/keep-rule-set.ts'
import { completed } from '../waf/rule-set.ts'
import { tryRuleSet } from '../waf/try-rule-set.ts'
import { readUploaded } from '../waf/uploaded.ts'
import { readPublishers, requireSigner } from './rule-set-publishers.ts'

export function ruleSetsFeature({ env, logger }: Pick<Services, 'env' | 'logger'>): Feature {
  const { add, try: tried, ...calls } = ruleSets
  return [
    ...implement(calls, {
      async list({ db }) {
        const data = await readAll(db)
        return { data, total: data.length, defaultName: coreRuleSet().part.name }
      },

      async remove({ db, body, audit }) {
        const chosen = (await readAll(db)).filter(({ id }) => body.ids.includes(id))
        if (chosen.length < new Set(body.ids).size) throw new Fault('permissionDenied')
        if (chosen.some(({ zones }) => zones.length > 0)) throw fieldFault('ids', 'inUse')
        await db.deleteFrom('wafRuleSets').where('id', 'in', body.ids).execute()
        audit.detail = { removed: chosen.map(({ id, name, hash }) => ({ id, name, hash })) }
      },
    }),
    ...implementOpen(
      { add, try: tried },
      {
        async add({ transact, caller, body, audit }) {
          const signer = await requireSigner(await transact(readPublishers), body)
          const read = await readUploaded(caller.tenantId, body.file)
          if ('problems' in read) {
            audit.detail = { fileName: body.file.name, refused: read.problems.length }
            return { id: 0, problems: read.problems, leftOut: [] }
          }
          const made = completed(read.compiled)
          const { part, leftOut } = made
          const { hash } = made.objects.requests
          const id = await transact(async (db) => {
            await lockTenant(db, caller.tenantId)
            const there = await ruleSetHashes(db, caller.tenantId)
            if (there.includes(hash)) throw fieldFault('file', 'duplicatedData')
            if (there.length >= ruleSetsMax) throw new Fault('itemsExceedLimit')
            const { tenantId: operatorId, accountName: actor } = caller
            return keepRuleSet(db, made, { operatorId, fileName: body.file.name, actor, signer })
          })
          audit.detail = {
            after: {
              ...{ id, name: part.name, hash, rules: part.rules.length, signer: signer?.name ?? null },
              leftOut: leftOut.length,
            },
          }
          return { id, problems: [], leftOut }
        },

        async try({ transact, ruleSetId, audit }) {
          const { name, part, hash } = await transact((db) => requireRuleSet(db, ruleSetId))
          const { trial: made, hits } = await tryRuleSet(
            env.dataFolder,
            { hash: hash.toString('hex'), bytes: part },
            logger,
          )
          const trial: RuleSetTrial = { at: new Date().toISOString(), ...made }
          await transact((db) =>
            db
              .updateTable('wafRuleSets')
              .set({ trial: JSON.stringify(trial), hits: JSON.stringify(hits) })
              .where('id', '=', ruleSetId)
              .execute(),
          )
          audit.detail = {
            name,
            benign: trial.benign,
            refused: trial.refused,
            attacks: trial.attacks,
            found: trial.found,
          }
          return trial
        },
      },
    ),
  ]
}

/** Rejects the choice of a set that belongs to another operator or has not been tried yet; otherwise returns it. */
export async function requireTried<Chosen extends { ruleSetId: number }>(
  chosen: Chosen,
  db: Database,
): Promise<Chosen> {
  if (chosen.ruleSetId === 0) return chosen
  const { trial } = await requireRuleSet(db, chosen.ruleSetId)
  if (!trial) throw fieldFault('ruleSetId', 'notTried')
  return chosen
}

/** Locks the set against removal until the transaction ends. */
export async function requireRuleSet(db: Database, id: number) {
  const row = await db
    .selectFrom('wafRuleSets')
    .select(['name', 'hash', 'part', 'responses', 'texts', 'trial', 'hits'])
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst()
  if (!row) throw new Fault('permissionDenied')
  return row
}

/** The caller's rule sets, with the zones that chose them. */
async function readAll(db: Database): Promise<RuleSet[]> {
  const rows = await db
    .selectFrom('wafRuleSets')
    .select(['id', 'name', 'fileName', 'hash', 'texts', 'trial', 'signer', 'leftOut', 'actor', 'createdAt'])
    .orderBy('id', 'desc')
    .execute()
  const { rows: zones } = await sql<{ id: number; name: string; ruleSetId: number }>`
    select distinct z.id, z.name, (s.value->>'ruleSetId')::int as rule_set_id from settings s join zones z on z.id = s.owner_id
    where s.owner = 'zone' and s.name in ('wafRuleSet', 'wafShadow') order by z.id`.execute(db)
  return rows.map(({ texts, hash, createdAt, ...row }) => ({
    ...row,
    hash: hash.toString('hex'),
    levels: [1, 2, 3, 4].map((level) => texts.filter((text) => text.level <= level).length),
    zones: zones.filter(({ ruleSetId }) => ruleSetId === row.id).map(({ id, name }) => ({ id, name })),
    createdAt: createdAt.toISOString(),
  }))
}
