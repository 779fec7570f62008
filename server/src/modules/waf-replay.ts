/** Replays a logged request in the lab edge, under a WAF module that is not saved. */
import type { RequestRow } from '@breakwater/contract/edge/events.ts'
import { readWaf } from '@breakwater/contract/modules/waf-exceptions.ts'
import type { Logger } from 'pino'
import { simulate } from '../logs/explain.ts'
import { explainInLab } from '../logs/lab.ts'
import type { SavedRule, SiteDocument } from '../publish/document.ts'
import type { Publisher } from '../publish/publisher.ts'
import { renderArtefact } from '../publish/render.ts'
import type { RuleSetObjects } from '../waf/rule-set.ts'

type Modules = Record<string, { rules: SavedRule[]; body?: object }>
type Parts = { publisher: Publisher; dataFolder: string; logger: Logger; ruleSet: RuleSetObjects }

/** Parts of a document, other than lists of rules, that affect a request before the WAF. */
const kept = ['site', 'domains', 'modules', 'moduleBindings']

/**
 * The WAF's result for a row's request: the matches that it reports, and whether they are refused. Returns undefined if
 * the lab is unreachable. What the row does not hold (a body, most headers) is not examined.
 */
export async function replay(
  { publisher, dataFolder, logger, ruleSet }: Parts,
  row: RequestRow,
  document: SiteDocument,
): Promise<{ matches: string[]; isRefused: boolean } | undefined> {
  // The address score is 0, so that reputation decides nothing: only the WAF of the site is run.
  const { isLogged: _, headers, ...request } = simulate(row, 0)
  const asked = { ...request, headers: { accept: '*/*', ...headers }, time: Math.floor(Date.now() / 1000) }
  const rendered = renderArtefact(publisher, document, 1, new Map(), ruleSet)
  const told = await explainInLab(dataFolder, rendered, asked, logger)
  const step = told?.steps.find(({ guard }) => guard === 'waf')
  if (!step || step.outcome === 'skipped') return undefined
  const { matches } = readWaf(step.waf?.text ?? '')
  return {
    matches: matches.map(({ text }) => text),
    isRefused: step.outcome === 'block' || step.outcome === 'challenge',
  }
}

/**
 * The site with only one WAF module, enforced and with additional rules, so that nothing else decides about the
 * request.
 */
export function withWafAlone(document: SiteDocument, moduleId: number, more: readonly SavedRule[]): SiteDocument {
  const parts = Object.entries(document).filter(([name]) => kept.includes(name))
  const modules = document.modules as Modules
  const module = modules[moduleId]
  if (!module) return Object.fromEntries(parts) as SiteDocument
  const rules = [...module.rules, ...more].sort((a, b) => a.sort - b.sort || a.id - b.id)
  const alone = { ...module, rules, body: { ...module.body, mode: 'enforce', blockType: 0 } }
  const bindings = Object.entries(document.moduleBindings as Record<string, Record<string, number>>)
    .filter(([, bound]) => bound.waf === moduleId)
    .map(([domain]) => [domain, { waf: moduleId }])
  return {
    ...(Object.fromEntries(parts) as SiteDocument),
    ...{ modules: { [moduleId]: alone }, moduleBindings: Object.fromEntries(bindings) },
  }
}
