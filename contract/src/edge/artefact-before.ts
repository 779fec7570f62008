/**
 * The schema before the current one. Its agents know hosts with one flat list of origins, no observe mode (an observed
 * rule is left out for them: it refuses nobody) and no body rules (a site that has one is not eligible: DESIGN §4.9).
 */
import { z } from 'zod'
import { EdgeIpRule, EdgeRateRule, Hash, OriginTarget, SecretRef, schemaBefore } from './artefact.ts'

export const ArtefactBefore = z.object({
  schema: z.literal(schemaBefore),
  site: z.number().int(),
  revision: z.number().int(),
  hosts: z.array(
    z.object({ id: z.number().int(), name: z.string(), origins: z.array(OriginTarget), headers: z.array(Hash) }),
  ),
  parts: z.object({ settings: Hash, firewall: Hash, cache: Hash }),
  lists: z.array(Hash),
  secrets: z.object({ originCredential: SecretRef.optional() }),
  allowOrigins: z.array(z.string()),
})
export type ArtefactBefore = z.output<typeof ArtefactBefore>

/** The firewall part of the schema before: every rule is enforced, and there are no body rules. The other parts are today's. */
export const FirewallPartBefore = z.object({
  kind: z.literal('firewall'),
  allowRules: z.array(EdgeIpRule.omit({ mode: true })),
  denyRules: z.array(EdgeIpRule.omit({ mode: true })),
  rateRules: z.array(EdgeRateRule.omit({ mode: true })),
})
export type FirewallPartBefore = z.output<typeof FirewallPartBefore>
