/** Brings everything that an entry needs to this disk and checks it, before nginx gets the entry. */
import { checkPart, type PartRef, partKey, partsOf, secretsOf } from './artefacts.ts'
import { fetchObjects, type Source } from './fetch-objects.ts'
import { reasonOf } from './log.ts'
import { type Live, type Opened, openArtefacts } from './open-artefacts.ts'
import { type SecretName, type Secrets, secretKey } from './secrets.ts'

/** An entry whose objects and secrets are all on this disk, or why that failed. */
export type Prepared = Opened

export type Preparing = Source & { secrets: Secrets }

type Candidate = Extract<Opened, { artefact: unknown }>

/** Prepares entries together. An error in one does not affect the others; throws only if the connection breaks. */
export async function prepare(entries: readonly Live[], tools: Preparing): Promise<Prepared[]> {
  const opened = await openArtefacts(entries, tools)
  const candidates = opened.filter((one) => 'artefact' in one)
  const badParts = await bringParts(candidates, tools)
  const badSecrets = await tools.secrets.fetch(candidates.flatMap(namesOf), tools.plane)
  return opened.map((one) => {
    if ('reason' in one) return one
    const part = badParts.size === 0 ? undefined : partsOf(one.artefact).find((ref) => badParts.has(partKey(ref)))
    const secret = namesOf(one).find((name) => badSecrets.has(secretKey(name)))
    if (part) return { entry: one.entry, reason: `part ${part.kind}: ${badParts.get(partKey(part))}` }
    if (secret) return { entry: one.entry, reason: `secret: ${badSecrets.get(secretKey(secret))}` }
    return one
  })
}

const namesOf = ({ entry, artefact }: Candidate): SecretName[] =>
  secretsOf(artefact).map((ref) => ({ site: entry.site, ref }))

/** Fetches, checks and writes the parts of all candidates. Returns errors by kind and hash. */
async function bringParts(candidates: readonly Candidate[], tools: Preparing): Promise<Map<string, string>> {
  const refs = new Map<string, PartRef>()
  const { checked } = tools.objects
  for (const { artefact } of candidates)
    for (const ref of partsOf(artefact)) if (checked.get(ref.hash) !== ref.kind) refs.set(partKey(ref), ref)
  const found = await fetchObjects(
    [...refs.values()].map(({ hash }) => hash),
    tools,
  )
  const bad = new Map<string, string>()
  const good = new Map<string, Buffer>()
  for (const [key, { hash, kind }] of refs) {
    try {
      const bytes = found.take(hash)
      checkPart(bytes, kind)
      if (found.isNew(hash)) good.set(hash, bytes)
    } catch (error) {
      bad.set(key, reasonOf(error))
    }
  }
  const failed = await tools.objects.write(good)
  for (const [key, { hash, kind }] of refs) {
    const reason = failed.get(hash)
    if (reason !== undefined) bad.set(key, reason)
    else if (!bad.has(key)) checked.set(hash, kind)
  }
  return bad
}
