/**
 * Renders a site for nodes: a pure function from its document to an artefact, the parts it points to, and its hosts.
 */
import type { Artefact } from '@breakwater/contract/edge/artefact.ts'
import { schemaCurrent } from '@breakwater/contract/edge/artefact.ts'
import { canonicalJson, sha256 } from './canonical.ts'
import type { SiteDocument } from './document.ts'
import { bodiesOf, bodyOf } from './part.ts'
import type { Publisher } from './publisher.ts'
import { Rendering, type WafObjects } from './rendering.ts'

export type Rendered = {
  /** `requires` lists features that a node must have. */
  artefact: { hash: string; bytes: Buffer; requires: string[] }
  /** Parts and lists by hash, without the artefact itself. */
  objects: Map<string, Buffer>
  hosts: string[]
}

/**
 * Renders a revision of a site. `known` caches rendered modules that documents gathered together share. `ruleSet` is
 * the WAF rule set for use outside of the zone, in the lab: nodes of the zone know the zone's own.
 */
export function renderArtefact(
  { parts, allowOrigins }: Publisher,
  document: SiteDocument,
  revision: number,
  known: Map<object, Buffer> = new Map(),
  ruleSet?: WafObjects,
): Rendered {
  const out = new Rendering(document, known, ruleSet)
  for (const part of parts) {
    if (part.owner === 'site') {
      const body = bodyOf(document, part)
      part.render?.(body, out)
      for (const feature of part.requires?.(body) ?? []) out.requires.add(feature)
      continue
    }
    const bodies = bodiesOf(document, part)
    for (const domain of out.domains) {
      const body = bodies[domain.id]
      if (!body) continue
      part.render?.(body, domain, out)
      for (const feature of part.requires?.(body) ?? []) out.requires.add(feature)
    }
  }
  const artefact: Artefact = {
    schema: schemaCurrent,
    site: document.site.id,
    revision,
    requires: [...out.requires].sort(),
    domains: out.domains,
    parts: out.keepParts(),
    lists: [...out.lists].sort(),
    ...(out.errorPages.length > 0 && { errorPages: out.errorPages }),
    secrets: out.secrets,
    allowOrigins,
  }
  const bytes = Buffer.from(canonicalJson(artefact))
  return {
    artefact: { hash: sha256(bytes).toString('hex'), bytes, requires: artefact.requires },
    objects: out.objects,
    hosts: out.domains.map((domain) => domain.name),
  }
}
