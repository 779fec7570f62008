/** What came in the schema before, said in the current one: nginx on this node reads the current one only. */
import { type Artefact, type FirewallPart, schemaCurrent } from '@breakwater/contract/edge/artefact.ts'
import type { ArtefactBefore, FirewallPartBefore } from '@breakwater/contract/edge/artefact-before.ts'

/** A rule that could only be enforced is enforced. */
export function liftFirewall(before: FirewallPartBefore): FirewallPart {
  const enforced = <R>(rules: readonly R[]) => rules.map((rule) => ({ ...rule, mode: 'enforce' as const }))
  return {
    kind: 'firewall',
    allowRules: enforced(before.allowRules),
    denyRules: enforced(before.denyRules),
    rateRules: enforced(before.rateRules),
    bodyRules: [],
  }
}

/** What the schema before could not say gets the value that it always meant. `firewall` is the lifted part's hash. */
export function liftArtefact(before: ArtefactBefore, firewall: string): Artefact {
  const { hosts, site, revision, parts, lists, secrets, allowOrigins } = before
  const domains = hosts.map(({ id, name, origins, headers }) => ({
    id,
    name,
    origins,
    balance: 'roundRobin' as const,
    customHeaders: headers,
  }))
  return {
    schema: schemaCurrent,
    site,
    revision,
    domains,
    parts: { ...parts, firewall },
    lists,
    secrets,
    allowOrigins,
  }
}
