/** Checks that everything the sites on this node need is intact on disk, and fetches damaged objects again. */

import type { FeedEntry } from '@breakwater/contract/edge/node-api.ts'
import { parseArtefact, partsOf, secretsOf } from './artefacts.ts'
import { fetchObjects } from './fetch-objects.ts'
import { log, reasonOf } from './log.ts'
import type { Preparing } from './prepare.ts'
import type { SecretName } from './secrets.ts'

/** nginx reads these files at its start or when it first needs a site: a flipped bit would show only then. */
export async function repair(entries: readonly FeedEntry[], tools: Preparing): Promise<void> {
  await repairObjects(
    entries.flatMap(({ artefact }) => artefact ?? []),
    tools,
  )
  const parts = new Set<string>()
  const secrets: SecretName[] = []
  for (const { site, artefact } of entries) {
    const bytes = artefact === null ? undefined : await tools.objects.read(artefact)
    if (!bytes) continue
    try {
      const parsed = parseArtefact(bytes, site)
      for (const { hash } of partsOf(parsed)) parts.add(hash)
      for (const ref of secretsOf(parsed)) secrets.push({ site, ref })
    } catch (error) {
      log.warn('what a site needs is unknown: its artefact is unreadable', { site, reason: reasonOf(error) })
    }
  }
  await repairObjects([...parts], tools)
  for (const reason of (await tools.secrets.fetch(secrets, tools.plane)).values())
    log.warn('a secret is lost', { reason })
}

async function repairObjects(hashes: readonly string[], tools: Preparing): Promise<void> {
  const broken: string[] = []
  for (const hash of hashes) if (!(await tools.objects.read(hash))) broken.push(hash)
  if (broken.length === 0) return
  log.warn('objects on disk are missing or damaged; fetching them again', { objects: broken.length })
  const found = await fetchObjects(broken, tools)
  const whole = new Map<string, Buffer>()
  for (const hash of broken) {
    try {
      whole.set(hash, found.take(hash))
    } catch (error) {
      log.error('an object cannot be had again; its site needs a new revision', { hash, reason: reasonOf(error) })
    }
  }
  await tools.objects.write(whole)
}
