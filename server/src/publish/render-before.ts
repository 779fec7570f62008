/** Renders an artefact for nodes that speak the schema before the current one (DESIGN §4.9). */
import { Artefact, type FirewallPart, schemaBefore } from '@breakwater/contract/edge/artefact.ts'
import type { ArtefactBefore } from '@breakwater/contract/edge/artefact-before.ts'
import type { Database } from '../db/database.ts'
import { canonicalJson, sha256 } from './canonical.ts'

export type Before = { hash: string } | { ineligible: string }

/** An artefact in the schema before, or why a node of that schema must not serve the site. Kept once rendered. Runs as the system. */
export async function artefactBefore(db: Database, hash: Buffer): Promise<Before> {
  const known = await db
    .selectFrom('artefactsBefore')
    .select(['before', 'ineligible'])
    .where('artefact', '=', hash)
    .executeTakeFirst()
  if (known) return known.before ? { hash: known.before.toString('hex') } : { ineligible: known.ineligible ?? '' }
  const artefact = Artefact.parse(JSON.parse((await bytesOf(db, hash)).toString('utf8')))
  const firewall = JSON.parse(
    (await bytesOf(db, Buffer.from(artefact.parts.firewall, 'hex'))).toString('utf8'),
  ) as FirewallPart
  const rendered = renderBefore(artefact, firewall)
  if ('ineligible' in rendered) {
    await db
      .insertInto('artefactsBefore')
      .values({ artefact: hash, before: null, ineligible: rendered.ineligible })
      .onConflict((on) => on.doNothing())
      .execute()
    return rendered
  }
  const before = Buffer.from(rendered.hash, 'hex')
  const objects = [...rendered.objects].map(([name, bytes]) => ({ hash: Buffer.from(name, 'hex'), bytes }))
  await db
    .insertInto('objects')
    .values(objects)
    .onConflict((on) => on.doNothing())
    .execute()
  await db
    .insertInto('artefactObjects')
    .values(objects.map((object) => ({ artefact: hash, object: object.hash })))
    .onConflict((on) => on.doNothing())
    .execute()
  await db
    .insertInto('artefactsBefore')
    .values({ artefact: hash, before, ineligible: null })
    .onConflict((on) => on.doNothing())
    .execute()
  return { hash: rendered.hash }
}

async function bytesOf(db: Database, hash: Buffer): Promise<Buffer> {
  return (await db.selectFrom('objects').select('bytes').where('hash', '=', hash).executeTakeFirstOrThrow()).bytes
}

/** The pure part: schema 2 → schema 1. An observed rule refuses nobody, so it is left out; a body rule cannot be said. */
export function renderBefore(
  artefact: Artefact,
  firewall: FirewallPart,
): { hash: string; objects: Map<string, Buffer> } | { ineligible: string } {
  if (firewall.bodyRules.some((rule) => rule.mode === 'enforce')) return { ineligible: 'body rules need a newer agent' }
  const enforced = <R extends { mode: string }>(rules: R[]) =>
    rules.filter((rule) => rule.mode === 'enforce').map(({ mode: _, ...rule }) => rule)
  const { allowRules, denyRules, rateRules } = firewall
  const part = Buffer.from(
    canonicalJson({
      kind: 'firewall',
      allowRules: enforced(allowRules),
      denyRules: enforced(denyRules),
      rateRules: enforced(rateRules),
    }),
  )
  const partHash = sha256(part).toString('hex')
  const { domains, schema: _, ...rest } = artefact
  const before: ArtefactBefore = {
    ...rest,
    schema: schemaBefore,
    hosts: domains.map(({ id, name, origins, customHeaders }) => ({ id, name, origins, headers: customHeaders })),
    parts: { ...artefact.parts, firewall: partHash },
  }
  const bytes = Buffer.from(canonicalJson(before))
  const hash = sha256(bytes).toString('hex')
  return {
    hash,
    objects: new Map([
      [hash, bytes],
      [partHash, part],
    ]),
  }
}
