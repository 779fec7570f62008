/** Modules as stored in documents of sites. */
import { z } from 'zod'
import type { Database } from '../db/database.ts'
import { anyOf, grouped } from '../publish/gather.ts'
import type { Gather } from '../publish/part.ts'
import { SavedRules, savedRule } from '../rules/rule-list-part.ts'

export const Modules = z.record(
  z.string(),
  z.object({
    name: z.string(),
    kind: z.string(),
    rules: SavedRules,
    /** The settings of a module that has settings. */
    body: z.record(z.string(), z.unknown()).optional(),
  }),
)
export type Modules = z.output<typeof Modules>
export type SavedModule = Modules[string]

/** The modules that sites' domains are bound to, and each module's content, in three statements. */
export const gatherModules: Gather = async (db, siteIds) => {
  const rows = await db
    .selectFrom('domainModules')
    .innerJoin('domains', 'domains.id', 'domainModules.domainId')
    .select(['domains.siteId', 'domainModules.domainId', 'domainModules.kind', 'domainModules.moduleId'])
    .where('domains.siteId', '=', anyOf(siteIds))
    .orderBy('domainModules.domainId')
    .orderBy('domainModules.kind')
    .execute()
  const modules = await readModules(db, [...new Set(rows.map((row) => row.moduleId))])
  const bySite = grouped(rows, ({ siteId, ...bound }) => [siteId, bound])
  return new Map(
    [...bySite].map(([site, bound]) => {
      const bindings: Record<number, Record<string, number>> = {}
      for (const { domainId, kind, moduleId } of bound) bindings[domainId] = { ...bindings[domainId], [kind]: moduleId }
      const own = Object.fromEntries(bound.map(({ moduleId }) => [moduleId, modules.get(moduleId)!]))
      return [site, { modules: own, moduleBindings: bindings }]
    }),
  )
}

async function readModules(db: Database, ids: number[]): Promise<Map<number, SavedModule>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('modules')
    .select(['id', 'name', 'kind', 'body'])
    .where('id', '=', anyOf(ids))
    .execute()
  const rules = await db
    .selectFrom('rules')
    .selectAll()
    .where('moduleId', '=', anyOf(ids))
    .orderBy('sort')
    .orderBy('id')
    .execute()
  const byModule = grouped(rules, (row) => [row.moduleId!, savedRule(row)])
  return new Map(
    rows.map(({ id, name, kind, body }) => [
      id,
      { name, kind, rules: byModule.get(id) ?? [], ...(Object.keys(body).length > 0 && { body }) },
    ]),
  )
}
