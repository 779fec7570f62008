/** Secrets for a node: those of sites in its group's feed and of the group itself, sealed to the node's own key. */
import type { SecretsReply } from '@breakwater/contract/edge/node-api.ts'
import type { z } from 'zod'
import type { Database } from '../db/database.ts'
import { readBoundSecret } from '../modules/module-secrets.ts'
import { groupKeyName, readGroupKeys, readSiteSecret } from '../secrets/store.ts'
import type { Vault } from '../secrets/vault.ts'
import type { NodeIdentity } from './node-identity.ts'
import { seal } from './seal.ts'

type Asked = { site: number; ref: string }
/** Sites that were never in the group's feed: an honest node cannot know of them. */
export type ForeignSites = { foreign: number[] }

const groupSite = 0

/** The sites of a group's feed: true if it serves them, false if they have left. */
async function sitesOf(db: Database, node: NodeIdentity, sites: number[]): Promise<Map<number, boolean>> {
  if (node.groupId === null || sites.length === 0) return new Map()
  const rows = await db
    .selectFrom('feedEntries')
    .select(['siteId', 'artefact'])
    .where('groupId', '=', node.groupId)
    .where('siteId', 'in', sites)
    .execute()
  return new Map(rows.map(({ siteId, artefact }) => [siteId, artefact !== null]))
}

async function readPlain(db: Database, vault: Vault, node: NodeIdentity, asked: Asked): Promise<Buffer | undefined> {
  const [name = '', version = ''] = asked.ref.split('@')
  if (asked.site !== groupSite) {
    const read = name.startsWith('tokenAuth-') ? readBoundSecret : readSiteSecret
    return read(db, vault, asked.site, name, Number(version))
  }
  if (name !== groupKeyName || node.groupId === null) return undefined
  const keys = await readGroupKeys(db, vault, node.groupId)
  return keys.find((key) => key.version === Number(version))?.key
}

/** The secrets that a node requested, keyed by `site/ref`. Missing ones are absent. Runs as the system. */
export async function readSecrets(
  db: Database,
  vault: Vault,
  node: NodeIdentity,
  asked: Asked[],
): Promise<z.output<typeof SecretsReply> | ForeignSites> {
  const sites = [...new Set(asked.map(({ site }) => site))].filter((site) => site !== groupSite)
  const known = await sitesOf(db, node, sites)
  const foreign = sites.filter((site) => !known.has(site))
  if (foreign.length > 0) return { foreign }
  const secrets: Record<string, string> = {}
  for (const one of asked) {
    if (one.site !== groupSite && !known.get(one.site)) continue
    const context = `${one.site}/${one.ref}`
    const plain = await readPlain(db, vault, node, one)
    if (plain) secrets[context] = seal(plain, node.sealKey, context).toString('base64')
  }
  return { secrets }
}
