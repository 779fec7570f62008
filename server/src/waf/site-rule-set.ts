/** The rule set that applies to a site: that of the zone that serves it, as last published, or the default. */
import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { RuleText } from './compile.ts'
import { coreRuleSet } from './core-rule-set.ts'
import type { RuleSet, RuleSetObjects } from './rule-set.ts'

/** `isDefault`: the zone chose none. */
export type SiteRuleSet = Pick<RuleSet, 'objects' | 'texts'> & { name: string; isDefault: boolean }

/** The rule set of the zone of the site's first main group. Runs as the system. */
export async function ruleSetOfSite(db: Database, siteId: number): Promise<SiteRuleSet> {
  const { rows } = await sql<{ id: number | null }>`
    select (r.body->'settings'->'wafRuleSet'->>'ruleSetId')::int as id
    from sites s join product_groups p on p.product_id = s.product_id join groups g on g.id = p.group_id
    join zones z on z.id = g.zone_id left join zone_revisions r on r.zone_id = z.id and r.revision = z.revision
    where s.id = ${siteId}::int order by g.is_backup, g.id limit 1`.execute(db)
  const id = rows[0]?.id ?? 0
  const row = id === 0 ? undefined : await readOne(db, id)
  if (!row) {
    const { part, objects, texts } = coreRuleSet()
    return { name: part.name, isDefault: true, objects, texts }
  }
  const { name, texts } = row
  return { name, isDefault: false, objects: objectsOfRow(row), texts }
}

type Row = { hash: Buffer; part: Buffer; responsesHash: Buffer | null; responses: Buffer | null }

/** The objects for nodes from a row of `waf_rule_sets`. */
export const objectsOfRow = ({ hash, part, responsesHash, responses }: Row): RuleSetObjects => ({
  requests: { hash: hash.toString('hex'), bytes: part },
  responses: responsesHash && responses ? { hash: responsesHash.toString('hex'), bytes: responses } : undefined,
})

const readOne = (db: Database, id: number) =>
  db
    .selectFrom('wafRuleSets')
    .select(['name', 'hash', 'part', 'responsesHash', 'responses', 'texts'])
    .where('id', '=', id)
    .executeTakeFirst()

/**
 * The description of a rule by its id, from the sets that the zones of these sites use and from the default. Runs as
 * the system.
 */
export async function ruleTextsOf(db: Database, siteIds: number[]): Promise<(rule: number) => RuleText | undefined> {
  const { rows } = await sql<{ texts: RuleText[] }>`
    select texts from waf_rule_sets where id in (
      select distinct (r.body->'settings'->'wafRuleSet'->>'ruleSetId')::int
      from sites s join product_groups p on p.product_id = s.product_id join groups g on g.id = p.group_id
      join zones z on z.id = g.zone_id join zone_revisions r on r.zone_id = z.id and r.revision = z.revision
      where s.id = any(${siteIds}::int[]))`.execute(db)
  const known = new Map([...coreRuleSet().texts, ...rows.flatMap(({ texts }) => texts)].map((text) => [text.id, text]))
  return (rule) => known.get(rule)
}
