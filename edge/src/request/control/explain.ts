/** Explains a request under any artefact on disk, whether or not the site index names it. Touches no live counter. */
import type { SimulatedRequest } from '@breakwater/contract/edge/explain.ts'
import { formDecoded } from '../bytes/url.ts'
import { knownBotOf } from '../clients/verified-bots.ts'
import { limitFor } from '../delivery/bandwidth.ts'
import { explain as explainPure } from '../guards/explain.ts'
import { canonicalHost, canonicalPath } from '../lib/canonical.ts'
import { hash, problemOf } from '../lib/shape.ts'
import { isListed } from '../nginx/address-list.ts'
import { asnOf } from '../nginx/networks.ts'
import { matchesRegex, mayMatchRegex } from '../nginx/regex.ts'
import { groupsOf } from '../nginx/regex-groups.ts'
import { wafMatching } from '../nginx/waf-matching.ts'
import { domainFor } from '../sites/compile.ts'
import { compiledSite } from '../sites/site-cache.ts'
import { zoneRules } from '../sites/zone-rule-set.ts'
import { explainModules, explainRewrite } from './explain-modules.ts'

export function explain(body: { artefact: string; request: SimulatedRequest }): unknown {
  const problem = problemOf(hash, body.artefact, 'artefact')
  if (problem !== undefined) throw new Error(problem)
  const waf = { ...wafMatching, zoneRules }
  const matching = {
    ...{ matches: matchesRegex, mayMatch: mayMatchRegex, listed: isListed, asn: asnOf, formDecoded, waf },
    knownBotOf,
  }
  const site = compiledSite(body.artefact)
  const domain = domainFor(site, canonicalHost(body.request.host))
  const { request } = body
  const told = explainPure(domain?.steps ?? site.steps, request, matching, site.settings.backslashes, (explanation) =>
    domain === undefined ? explanation : explainModules(explanation, domain, request, matching, groupsOf),
  )
  // Rewrites and bandwidth limits do not hold for calls.
  if (request.isCall === true && site.settings.hasGrpc)
    return told.verdict === 'pass' ? { ...told, route: 'grpc' } : told
  const rewrites = domain?.rewrites
  const explained = rewrites === undefined ? told : explainRewrite(told, rewrites, request, matching, groupsOf)
  const path = canonicalPath(body.request.path)
  if (site.bandwidth === undefined || path === undefined || explained.verdict !== 'pass') return explained
  return { ...explained, bandwidthLimit: limitFor(site.bandwidth, path, matching)?.id }
}
