/** WAF modules: their calls, the rules that they refer to, and their rendering for nodes. */
import type { EdgeWafRule, WafPart } from '@breakwater/contract/edge/module-parts.ts'
import { methods } from '@breakwater/contract/fields.ts'
import { type WafModule, type WafModuleRule, waf } from '@breakwater/contract/modules/waf.ts'
import { asSystem } from '../db/database.ts'
import { type Feature, implement } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { requireSite } from '../publish/change-site.ts'
import type { SavedRule } from '../publish/document.ts'
import { coreRuleSet } from '../waf/core-rule-set.ts'
import type { RuleSetObjects } from '../waf/rule-set.ts'
import { ruleSetOfSite } from '../waf/site-rule-set.ts'
import { moduleFeature } from './module-family.ts'
import { wafChangesFeature } from './waf-changes.ts'

/** Bytes of a body that nodes inspect: forms and API calls are usually smaller. */
const bodyBytes = 131_072

export function wafFeatures(services: Services): Feature[] {
  const { defaultRules, ruleSet, ...calls } = waf.calls
  const family = moduleFeature(services, { ...waf, calls })
  return [
    family,
    wafChangesFeature(services, family),
    implement(
      { defaultRules, ruleSet },
      {
        async ruleSet({ db, siteId }) {
          const site = await requireSite(db, siteId)
          const { name, isDefault, texts } = await asSystem(db, (tx) => ruleSetOfSite(tx, site.id))
          return { name, isDefault, rules: texts.length }
        },

        async defaultRules({ db, query }) {
          const site = query.siteID === undefined ? undefined : await requireSite(db, query.siteID)
          const { texts } = site ? await asSystem(db, (tx) => ruleSetOfSite(tx, site.id)) : coreRuleSet()
          const data = texts.map((text) => ({ ...text, action: 'enforce' as const }))
          return { data, total: data.length }
        },
      },
    ),
  ]
}

/** Whether responses are inspected. Modules saved before this option existed do not have the field. */
export const asksResponses = ({ enabled, responses = 'off' }: Record<string, unknown>): boolean =>
  enabled !== false && responses !== 'off'

/** A module that only observes refuses no response. */
const responsesMode = ({ mode, responses }: Record<string, unknown>): 'observe' | 'enforce' =>
  mode === 'enforce' && responses === 'enforce' ? 'enforce' : 'observe'

export function wafPart(
  module: number,
  rules: SavedRule[],
  said: Record<string, unknown>,
  { requests, responses }: RuleSetObjects,
): WafPart {
  const { mode, blockType, paranoia, threshold, overBudget } = said as WafModule
  return {
    ...{ kind: 'waf', module, ruleSet: requests.hash, mode, blockType, paranoia, threshold, bodyBytes },
    overBudget,
    ...(asksResponses(said) && responses && { responses: { mode: responsesMode(said), ruleSet: responses.hash } }),
    rules: rules.map(edgeRule),
  }
}

function edgeRule({ id, body }: SavedRule): EdgeWafRule {
  const { ruleID, urlRegex, methodValues, target, action, blockType, expiresAt } = body as WafModuleRule
  return {
    ...{ id, rule: ruleID, urlRegex, target, action, blockType },
    methods: methodValues.length === methods.length ? [] : methodValues,
    ...(expiresAt && { expiresAt: Math.floor(Date.parse(expiresAt) / 1000) }),
  }
}
