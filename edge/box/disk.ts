/** A node's folder as an agent writes it: objects by hash, secrets, and the two logs. */
import { createHash } from 'node:crypto'
import { appendFileSync, chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Artefact, Hash, Part } from '@breakwater/contract/edge/artefact.ts'
import { encodeIpSet } from '@breakwater/contract/edge/ip-set.ts'
import type { FeedEntry } from '@breakwater/contract/edge/node-api.ts'
import type { PurgeRecord } from '@breakwater/contract/edge/node-disk.ts'
import type { z } from 'zod'

type Kind<K extends Part['kind']> = Extract<Part, { kind: K }>

/** What a test says of a site; the rest is ordinary. */
export type SiteFacts = {
  site?: number
  revision?: number
  hosts?: string[]
  origins?: Partial<Artefact['domains'][number]['origins'][number]>[]
  balance?: Artefact['domains'][number]['balance']
  firewall?: Partial<Kind<'firewall'>>
  cache?: Kind<'cache'>['rules']
  headers?: Kind<'customHeaders'>['headers']
  settings?: Partial<Kind<'settings'>>
  /** Entries of a long list; rules refer to it by the hash that `list()` returns. */
  lists?: Hash[]
  credential?: string
  allowOrigins?: string[]
}

export class NodeDisk {
  private sequence = 0
  private readonly folder: string
  private readonly user: { uid: number; gid: number } | undefined

  constructor(folder: string, user: { uid: number; gid: number } | undefined) {
    this.folder = folder
    this.user = user
  }

  /** Writes an object and returns its name. */
  object(bytes: string | Uint8Array): Hash {
    const hash = createHash('sha256').update(bytes).digest('hex')
    mkdirSync(join(this.folder, 'objects', hash.slice(0, 2)), { recursive: true })
    writeFileSync(join(this.folder, 'objects', hash.slice(0, 2), hash), bytes)
    return hash
  }

  part(part: Part): Hash {
    return this.object(JSON.stringify(part))
  }

  list(entries: string[]): Hash {
    return this.object(encodeIpSet(entries))
  }

  secret(site: number, ref: string, value: string): void {
    const path = join(this.folder, 'secrets', `${site}.${ref}`)
    writeFileSync(path, value)
    chmodSync(path, 0o600)
    if (this.user) chownSync(path, this.user.uid, this.user.gid)
  }

  /** Writes a site's objects and returns the feed entry that leads to them. */
  site(facts: SiteFacts): FeedEntry {
    const site = facts.site ?? 1
    const hosts = facts.hosts ?? ['site.test']
    const customHeaders = facts.headers ? [this.part({ kind: 'customHeaders', module: 1, headers: facts.headers })] : []
    const artefact: Artefact = {
      schema: 2,
      site,
      revision: facts.revision ?? 1,
      domains: hosts.map((name, i) => ({
        id: i + 1,
        name,
        origins: (facts.origins ?? []).map((origin, id) => ({
          ...{ id: id + 1, host: '127.0.0.1', port: 1, weight: 1, backup: false, tls: false },
          ...origin,
        })),
        balance: facts.balance ?? 'roundRobin',
        customHeaders,
      })),
      parts: {
        settings: this.part({
          ...{
            kind: 'settings',
            bodyBytesMax: 0,
            originConnectTimeoutMs: 2000,
            originReadTimeoutMs: 10_000,
            trustedProxies: [],
          },
          ...(facts.credential !== undefined && { originCredentialHeader: 'X-Origin-Key' }),
          ...facts.settings,
        }),
        firewall: this.part({
          ...{ kind: 'firewall', allowRules: [], denyRules: [], rateRules: [], bodyRules: [] },
          ...facts.firewall,
        }),
        cache: this.part({ kind: 'cache', rules: facts.cache ?? [] }),
      },
      lists: facts.lists ?? [],
      secrets: facts.credential !== undefined ? { originCredential: 'originCredential@1' } : {},
      allowOrigins: facts.allowOrigins ?? ['127.0.0.0/8'],
    }
    if (facts.credential !== undefined) this.secret(site, 'originCredential@1', facts.credential)
    return this.entry(artefact.site, artefact.revision, this.object(JSON.stringify(artefact)), hosts)
  }

  entry(site: number, revision: number, artefact: Hash | null, hosts: string[]): FeedEntry {
    this.sequence += 1
    return { sequence: this.sequence, site, revision, artefact, hosts }
  }

  /** Appends to the feed's log. */
  feed(...entries: FeedEntry[]): void {
    for (const entry of entries) this.append('feed.log', entry)
  }

  purges(...records: z.output<typeof PurgeRecord>[]): void {
    for (const record of records) this.append('purges.log', record)
  }

  private append(name: string, value: unknown): void {
    const json = JSON.stringify(value)
    const path = join(this.folder, 'log', name)
    appendFileSync(path, `${crc32(json).toString(16).padStart(8, '0')} ${json}\n`)
  }
}
