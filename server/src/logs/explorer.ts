/** The log explorer's calls. Every query is restricted to the sites that the caller may see. */
import { type FacetField, logExplorer } from '@breakwater/contract/logs/explorer.ts'
import { type NetworkNames, networkLabel, networkNamesOf } from '../address-data/network-names.ts'
import { resolveScope } from '../events/scope.ts'
import { makeWantRows } from '../events/want-rows.ts'
import { Fault } from '../http/fault.ts'
import { type Feature, implementOpen } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { exportColumns, exportLines, readSlice } from './export.ts'
import { beginExport, endExport } from './export-limit.ts'
import { readFacets } from './facets.ts'
import { readHistogram } from './histogram.ts'
import { nodeNames, presentRows } from './log-rows.ts'
import { readKeyed, readOne } from './row-key.ts'
import { rowKey } from './row-name.ts'
import { readRuleHours } from './rule-hours.ts'

/** The label of a value: nodes by their name, networks by their number and name. */
function labelOf(field: FacetField, value: string, nodes: Map<number, string>, networks: NetworkNames): string {
  if (field === 'node') return nodes.get(Number(value)) ?? value
  return field === 'asn' && value !== '0' ? networkLabel(networks, Number(value)) : value
}

export function logExplorerFeature({ env, database, events }: Services): Feature {
  const wantRows = makeWantRows(database.db)
  return implementOpen(logExplorer, {
    async rows({ transact, caller, body }) {
      const scope = await transact((db) => resolveScope(db, caller.tier, body))
      if (scope.sites.length === 0) return { rows: [], next: null }
      if (body.after === undefined) await wantRows(scope.sites)
      const found = await readKeyed(events, scope, body)
      const rows = await presentRows(database.db, found)
      return { rows, next: rows.length < body.limit ? null : rows.at(-1)!.id }
    },

    async export({ transact, caller, body, audit, answerFile }) {
      const scope = await transact((db) => resolveScope(db, caller.tier, body))
      const question = { events, db: database.db, scope, body }
      const id = await transact((db) => beginExport(db, caller, env.accountingTimeZone))
      audit.detail = { filter: body }
      const onClose = () => transact((db) => endExport(db, id))
      // Read the first slice before the file begins, so that a failure is still an error response.
      const first = await (scope.sites.length === 0 ? Promise.resolve([]) : readSlice(question)).catch(
        async (error: unknown) => {
          await onClose()
          throw error
        },
      )
      answerFile({ name: 'access-log', head: [...exportColumns], lines: exportLines(question, first), onClose })
    },

    async histogram({ transact, caller, body }) {
      const scope = await transact((db) => resolveScope(db, caller.tier, body))
      return readHistogram(events, scope, body, Date.now())
    },

    async facets({ transact, caller, body }) {
      const scope = await transact((db) => resolveScope(db, caller.tier, body))
      const facets = await readFacets(events, scope, body)
      const ids = facets.find(({ field }) => field === 'node')?.values.map(({ value }) => Number(value)) ?? []
      const names = await nodeNames(database.db, ids)
      const networks = await networkNamesOf(database.db, scope.sites)
      return facets.map(({ values, ...facet }) => ({
        ...facet,
        values: values.map(({ value, requests }) => ({
          value,
          label: labelOf(facet.field, value, names, networks),
          requests,
        })),
      }))
    },

    async ruleHours({ transact, caller, body: { siteID, ruleIDs } }) {
      const asked = { siteIDs: [siteID], domainIDs: [], zoneIDs: [] }
      const scope = await transact((db) => resolveScope(db, caller.tier, asked))
      await wantRows(scope.sites)
      return readRuleHours(events, scope, ruleIDs, Date.now())
    },

    async row({ transact, caller, query }) {
      const key = rowKey(query.id)
      const scope = await transact((db) =>
        resolveScope(db, caller.tier, { siteIDs: [key.site], domainIDs: [], zoneIDs: [] }),
      )
      const row = await readOne(events, scope, key)
      // A row that has expired gets the same answer as one that never existed, and as another customer's.
      if (!row) throw new Fault('permissionDenied')
      return (await presentRows(database.db, [row]))[0]!
    },
  })
}
