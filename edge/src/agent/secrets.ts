/** Decrypted secrets on disk: `secrets/<site>.<name>@<version>`, received sealed for this node. Site 0 is the group. */
import type { KeyObject } from 'node:crypto'
import { access, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { SecretsReply } from '@breakwater/contract/edge/node-api.ts'
import { type ControlPlane, Refused } from './control-plane.ts'
import { writeDurably } from './files.ts'
import type { Layout } from './layout.ts'
import { openSealed } from './seal.ts'

/** The contract's maximum of secrets per request. */
const BATCH = 500

export type SecretName = { site: number; ref: string }
export const secretKey = ({ site, ref }: SecretName) => `${site}/${ref}`

export type Secrets = {
  /** Fetches and decrypts those missing on disk. Returns why some could not be fetched, by `site/ref`. */
  fetch(names: readonly SecretName[], plane: ControlPlane): Promise<Map<string, string>>
  /** Removes all secrets of a site. */
  removeSite(site: number): Promise<void>
  /** Removes all but these (`site/ref`) and the group's own. */
  sweep(keep: ReadonlySet<string>): Promise<void>
}

export function secretStore(layout: Layout, key: KeyObject): Secrets {
  const pathOf = ({ site, ref }: SecretName) => join(layout.secrets, `${site}.${ref}`)
  const remove = (name: string) => rm(join(layout.secrets, name), { force: true })

  async function take(name: SecretName, sealed: string | undefined): Promise<string | undefined> {
    if (sealed === undefined) return `the control plane does not give ${name.ref} to this node`
    try {
      // The context binds the value to its site and name: a swapped value cannot be decrypted.
      await writeDurably(pathOf(name), openSealed(key, secretKey(name), sealed), layout.readable)
    } catch {
      return `${name.ref} was not sealed to this node`
    }
  }

  return {
    async fetch(names, plane) {
      const reasons = new Map<string, string>()
      const lacking: SecretName[] = []
      for (const name of names) if (!(await exists(pathOf(name)))) lacking.push(name)
      for (let from = 0; from < lacking.length; from += BATCH) {
        const batch = lacking.slice(from, from + BATCH)
        const secrets = await ask(batch, plane)
        for (const name of batch) {
          const reason = await take(name, secrets[secretKey(name)])
          if (reason !== undefined) reasons.set(secretKey(name), reason)
        }
      }
      return reasons
    },
    async removeSite(site) {
      for (const name of await readdir(layout.secrets)) if (name.startsWith(`${site}.`)) await remove(name)
    },
    async sweep(keep) {
      for (const name of await readdir(layout.secrets)) {
        if (!name.startsWith('0.') && !keep.has(name.replace('.', '/'))) await remove(name)
      }
    },
  }
}

/** A site that has just left this node's group makes the whole request fail; then each is requested separately. */
async function ask(batch: readonly SecretName[], plane: ControlPlane): Promise<Record<string, string>> {
  try {
    return (await plane.post('/secrets', { secrets: batch }, SecretsReply)).secrets
  } catch (error) {
    if (!(error instanceof Refused && error.status === 403)) throw error
    if (batch.length === 1) return {}
    const found: Record<string, string> = {}
    for (const name of batch) Object.assign(found, await ask([name], plane))
    return found
  }
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )
