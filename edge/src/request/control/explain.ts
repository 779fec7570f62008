/** Explains a request under any artefact on disk, whether or not it is in the site index. Touches no live counter. */
import type { Explanation, SimulatedRequest } from '@breakwater/contract/edge/explain.ts'
import { formDecoded } from '../bytes/url.ts'
import { knownBotOf } from '../clients/verified-bots.ts'
import { limitFor } from '../delivery/bandwidth.ts'
import { explain as explainSteps } from '../guards/explain.ts'
import { parseAddress } from '../lib/address.ts'
import { canonicalHost, canonicalPath } from '../lib/canonical.ts'
import { hash, problemOf } from '../lib/shape.ts'
import { isListed } from '../nginx/address-list.ts'
import { countryOf } from '../nginx/countries.ts'
import { asnOf } from '../nginx/networks.ts'
import { matchesRegex, mayMatchRegex } from '../nginx/regex.ts'
import { groupsOf } from '../nginx/regex-groups.ts'
import { wafMatching } from '../nginx/waf-matching.ts'
import { type CompiledSite, domainFor } from '../sites/compile.ts'
import { compiledSite } from '../sites/site-cache.ts'
import { zoneRules } from '../sites/zone-rule-set.ts'
import { explainModules, explainRewrite } from './explain-modules.ts'

type Question = { artefact: string; request: SimulatedRequest }

/** Throws if the artefact is missing or invalid. */
export function explain({ artefact, request }: Question): Explanation {
  const problem = problemOf(hash, artefact, 'artefact')
  if (problem !== undefined) throw new Error(problem)
  const told = explainUnder(compiledSite(artefact), request)
  const { country, asn } = request
  const isTold = request.isLogged === true || (country !== undefined && asn !== undefined)
  const bytes = isTold ? undefined : parseAddress(request.address)
  if (bytes === undefined) return told
  return { ...told, visitor: { country: country ?? countryOf(bytes), asn: asn ?? asnOf(bytes) } }
}

function explainUnder(site: CompiledSite, request: SimulatedRequest): Explanation {
  const waf = { ...wafMatching, zoneRules }
  const matching = {
    ...{ matches: matchesRegex, mayMatch: mayMatchRegex, listed: isListed, asn: asnOf, country: countryOf },
    ...{ formDecoded, waf, knownBotOf },
  }
  const domain = domainFor(site, canonicalHost(request.host))
  const told = explainSteps(domain?.steps ?? site.steps, request, matching, site.settings.backslashes, (explanation) =>
    domain === undefined ? explanation : explainModules(explanation, domain, request, matching, groupsOf),
  )
  // Rewrites and bandwidth limits do not apply to gRPC calls.
  if (request.isCall === true && site.settings.hasGrpc)
    return told.verdict === 'pass' ? { ...told, route: 'grpc' } : told
  const rewrites = domain?.rewrites
  const explained = rewrites === undefined ? told : explainRewrite(told, rewrites, request, matching, groupsOf)
  const path = canonicalPath(request.path)
  if (site.bandwidth === undefined || path === undefined || explained.verdict !== 'pass') return explained
  const bandwidthLimit = limitFor(site.bandwidth, path, matching)?.id
  return bandwidthLimit === undefined ? explained : { ...explained, bandwidthLimit }
}
