/**
 * The rule set that a zone chose, and those of its rules that only observe at first: rules that match more often than
 * in the previous set, in the lab and, if the set was in shadow, on live requests, and response rules that are new or
 * changed.
 */
import type { WafRulesPart } from '@breakwater/contract/edge/waf-rules.ts'
import { observedRules, SavedObserved, type SavedObservedRule } from '@breakwater/contract/nodes/observed-rules.ts'
import { zoneRuleSet } from '@breakwater/contract/nodes/rule-sets.ts'
import { sql } from 'kysely'
import { asSystem, type Database } from '../db/database.ts'
import { resolveScope } from '../events/scope.ts'
import { fieldFault } from '../http/fault.ts'
import { type Feature, implement, implementOpen } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { lockSettings } from '../settings/implement-settings.ts'
import { readSettings, removeSettings, writeSettings } from '../settings/owned-settings.ts'
import { matchedByBoth } from '../statistics/waf-shadow.ts'
import { changedAnswerRules } from '../waf/changed-answers.ts'
import { coreRuleSet } from '../waf/core-rule-set.ts'
import { type BothMatched, type Counts, rulesToObserve } from '../waf/more-often.ts'
import { changeZone } from './change-zone.ts'
import type { ZoneDocument } from './document.ts'
import { observedName } from './document.ts'
import { requireZone } from './require-zone.ts'
import { requireRuleSet, requireTried } from './rule-sets.ts'
import { zoneSettingsFeature } from './zone-settings.ts'

export function zoneRuleSetFeature({ events }: Pick<Services, 'events'>): Feature {
  const family = zoneSettingsFeature(zoneRuleSet, { check: requireTried })
  const { update, remove } = zoneRuleSet.calls
  const handleOf = (call: object) => family.find(({ endpoint }) => endpoint === call)!.handle
  return [
    ...family.filter(({ endpoint }) => endpoint === (zoneRuleSet.calls.get as unknown)),
    ...implementOpen(
      { update, remove },
      {
        async update(call) {
          const { transact, caller, zoneId, body } = call
          const asked = await transact(async (db) => {
            await requireZone(db, zoneId)
            await requireTried(body, db)
            if (body.ruleSetId === 0) return undefined
            const scope = await resolveScope(db, caller.tier, { siteIDs: [], domainIDs: [], zoneIDs: [zoneId] })
            return { scope, hash: (await requireRuleSet(db, body.ruleSetId)).hash }
          })
          const live = asked ? await matchedByBoth(events, asked.scope, asked.hash) : nothingLive
          await transact(async (db) => {
            await lockSettings('zone', { db, caller, zoneId })
            await settle(db, { zoneId, tenantId: caller.tenantId, ruleSetId: body.ruleSetId, live })
            await handleOf(update)({ ...call, db } as never)
          })
        },
        async remove(call) {
          const { transact, caller, zoneId } = call
          await transact(async (db) => {
            await lockSettings('zone', { db, caller, zoneId })
            await settle(db, { zoneId, tenantId: caller.tenantId, ruleSetId: 0, live: nothingLive })
            await handleOf(remove)({ ...call, db } as never)
          })
        },
      },
    ),
    ...implement(observedRules, {
      async list({ db, zoneId }) {
        await requireZone(db, zoneId)
        const { rules, ...saved } = (await readObserved(db, zoneId)) ?? nothing
        const names = new Map(rules.length === 0 ? [] : await namesOf(db, saved.ruleSetId))
        return { ...saved, rules: rules.map((rule) => ({ ...rule, name: names.get(rule.ruleID) ?? '' })) }
      },

      async release(call) {
        const { caller, zoneId, body } = call
        await changeZone(call, zoneId, async (db) => {
          const saved = await readObserved(db, zoneId)
          if (!saved) return
          const rules = saved.rules.filter(({ ruleID }) => !body.ids.includes(ruleID))
          await saveObserved(db, { zoneId, tenantId: caller.tenantId }, { ...saved, rules })
        })
      },
    }),
  ]
}

const nothing: SavedObserved = { ruleSetId: 0, benign: 0, live: 0, rules: [] }
const nothingLive: BothMatched = { requests: 0, rules: [] }

type Place = { zoneId: number; tenantId: number }

const readObserved = (db: Database, zoneId: number): Promise<SavedObserved | undefined> =>
  readSettings(db, 'zone', zoneId, observedName, SavedObserved)

/** Nothing is stored if no rule is left. */
async function saveObserved(db: Database, { zoneId, tenantId }: Place, saved: SavedObserved): Promise<void> {
  if (saved.rules.length === 0) await removeSettings(db, 'zone', zoneId, observedName)
  else await writeSettings(db, { owner: 'zone', ownerId: zoneId, name: observedName, tenantId }, saved)
}

const namesOf = async (db: Database, ruleSetId: number): Promise<[number, string][]> =>
  (await requireRuleSet(db, ruleSetId)).texts.map(({ id, name }) => [id, name])

/** Stores which rules of the set that the zone is about to choose only observe. Locks the zone. */
async function settle(
  db: Database,
  { ruleSetId, live, ...place }: Place & { ruleSetId: number; live: BothMatched },
): Promise<void> {
  await asSystem(db, (tx) => sql`select from zones where id = ${place.zoneId}::int for update`.execute(tx))
  const { zoneId } = place
  const before = (await readSettings(db, 'zone', zoneId, zoneRuleSet.name, zoneRuleSet.schema)) ?? zoneRuleSet.defaults
  if (before.ruleSetId === ruleSetId) return
  // Every zone starts with the default, with all rules active: choosing it again restores that.
  const saved =
    ruleSetId === 0
      ? nothing
      : ((await asItWas(db, zoneId, ruleSetId)) ?? (await compare(db, zoneId, before.ruleSetId, ruleSetId, live)))
  await saveObserved(db, place, saved)
}

/**
 * The observed rules of a set that the zone had before, as the operator left them: undefined if it never had the set.
 */
async function asItWas(db: Database, zoneId: number, ruleSetId: number): Promise<SavedObserved | undefined> {
  const row = await db
    .selectFrom('zoneRevisions')
    .select('body')
    .where('zoneId', '=', zoneId)
    .where(sql<boolean>`(body->'settings'->${zoneRuleSet.name}->>'ruleSetId')::int = ${ruleSetId}::int`)
    .orderBy('revision', 'desc')
    .limit(1)
    .executeTakeFirst()
  const { settings } = (row?.body as ZoneDocument | undefined) ?? {}
  if (!settings) return undefined
  return settings[observedName] === undefined ? nothing : SavedObserved.parse(settings[observedName])
}

const partOf = (bytes: Buffer | null): WafRulesPart | undefined =>
  bytes === null ? undefined : (JSON.parse(bytes.toString('utf8')) as WafRulesPart)

async function compare(
  db: Database,
  zoneId: number,
  fromId: number,
  toId: number,
  live: BothMatched,
): Promise<SavedObserved> {
  const { trial, hits, texts, responses } = await requireRuleSet(db, toId)
  // A set that was tried before matches were counted per rule.
  if (!trial || !hits) throw fieldFault('ruleSetId', 'notTried')
  const from = fromId === 0 ? undefined : await requireRuleSet(db, fromId)
  const counts: Counts = from?.hits?.own ?? hits.default
  const known = new Set((from?.texts ?? coreRuleSet().texts).map(({ id }) => id))
  const own = new Set(texts.map(({ id }) => id))
  const left: readonly SavedObservedRule[] = (await readObserved(db, zoneId))?.rules ?? []
  const rules = rulesToObserve({
    ...{ known, benign: { before: counts, now: hits.own } },
    answers: changedAnswerRules(from ? partOf(from.responses) : coreRuleSet().responses, partOf(responses)),
    live: { ...live, rules: live.rules.filter(({ ruleID }) => own.has(ruleID)) },
    unreleased: left.filter(({ ruleID }) => own.has(ruleID)),
  })
  return { ruleSetId: toId, benign: trial.benign, live: live.requests, rules }
}
