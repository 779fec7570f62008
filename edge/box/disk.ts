/** A node's folder, written like an agent does: objects by hash, secrets, and the logs. */
import { createHash } from 'node:crypto'
import { appendFileSync, chmodSync, chownSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { parseRange } from '@breakwater/contract/addresses.ts'
import { compressedTypes } from '@breakwater/contract/delivery/compression.ts'
import type { Artefact, CertificateRef } from '@breakwater/contract/edge/artefact.ts'
import type { AuthGroupSecrets, EdgeAuthRule } from '@breakwater/contract/edge/auth-rules.ts'
import { encodeIpSet } from '@breakwater/contract/edge/ip-set.ts'
import type { FeedEntry } from '@breakwater/contract/edge/node-api.ts'
import type { BanRecord, PurgeRecord } from '@breakwater/contract/edge/node-disk.ts'
import type { Part } from '@breakwater/contract/edge/parts.ts'
import { encodeReputation } from '@breakwater/contract/edge/reputation.ts'
import type { Hash } from '@breakwater/contract/hash.ts'
import type { z } from 'zod'

type Kind<K extends Part['kind']> = Extract<Part, { kind: K }>

/** What a test specifies about a site; the rest has defaults. */
export type SiteFacts = {
  site?: number
  revision?: number
  hosts?: string[]
  origins?: Partial<Artefact['domains'][number]['origins'][number]>[]
  balance?: Artefact['domains'][number]['balance']
  firewall?: Partial<Kind<'firewall'>>
  /** A domain's own rules, by host. */
  ofDomains?: Record<string, Partial<Kind<'firewall'>>>
  cache?: Kind<'cache'>['rules']
  headers?: Kind<'customHeaders'>['headers']
  redirects?: Kind<'urlRedirects'>['rules']
  cors?: Partial<Kind<'cors'>>
  tokens?: { rules: Kind<'tokenAuths'>['rules']; keys: Record<string, string[]> }
  /** Rules of edge authentication, and the accepted credentials of their groups, by secret. */
  auth?: { rules: EdgeAuthRule[]; groups: Record<string, AuthGroupSecrets> }
  bandwidth?: Kind<'bandwidth'>['limits']
  errorPages?: Kind<'errorPages'>['pages'][]
  rewrites?: Kind<'proxyRewrites'>['rules']
  luaAcls?: Kind<'luaAcls'>['rules']
  apiShield?: Omit<Kind<'apiShield'>, 'kind'>
  /** A module of the WAF, and its rule set. */
  waf?: {
    rules: Kind<'wafRules'>
    module?: Partial<Kind<'waf'>>
    responses?: { mode: 'observe' | 'enforce'; rules: Kind<'wafRules'> }
  }
  settings?: Partial<Kind<'settings'>>
  /** By host; a host without an entry has none. If undefined, all hosts have the self-signed default certificate. */
  certificates?: Record<string, DiskCertificate[]>
  forceSsl?: boolean
  /** The thumbprint of the operator's key at certificate authorities. */
  acme?: string
  ports?: Artefact['domains'][number]['ports']
  /** Entries of a long list; rules refer to it by the hash that `list()` returns. */
  lists?: Hash[]
  requires?: string[]
  credential?: string
  /** PEM of the key of `settings.originCertificate`. */
  originKey?: string
  allowOrigins?: string[]
}

/** PEM texts; epoch seconds. */
export type DiskCertificate = {
  id: number
  chain: string
  key: string
  algorithm?: CertificateRef['algorithm']
  isAutomatic?: boolean
  notAfter?: number
}

const firewallOf = (rules: Partial<Kind<'firewall'>>): Kind<'firewall'> => ({
  kind: 'firewall',
  ...rules,
})

export class NodeDisk {
  private sequence = 0
  private readonly folder: string
  private readonly user: { uid: number; gid: number } | undefined

  constructor(folder: string, user: { uid: number; gid: number } | undefined) {
    this.folder = folder
    this.user = user
  }

  /** Writes an object and returns its hash. */
  object(bytes: string | Uint8Array): Hash {
    const hash = createHash('sha256').update(bytes).digest('hex')
    mkdirSync(join(this.folder, 'objects', hash.slice(0, 2)), { recursive: true })
    writeFileSync(join(this.folder, 'objects', hash.slice(0, 2), hash), bytes)
    return hash
  }

  part(part: Part): Hash {
    return this.object(JSON.stringify(part))
  }

  /** Takes lines of a network and its score. Returns the file's hash. */
  reputation(lines: string[]): Hash {
    const ranges = lines.map((line) => {
      const [network = '', score] = line.split(',')
      return { ...parseRange(network)!, score: Number(score) }
    })
    return this.reputationFile(encodeReputation(ranges))
  }

  damagedReputation(): Hash {
    return this.reputationFile(encodeReputation([{ ...parseRange('0.0.0.0/0')!, score: 99 }]).subarray(0, 20))
  }

  /** Replaces the file as an agent does: a mapped one stays as it was. */
  private reputationFile(bytes: Uint8Array): Hash {
    const path = join(this.folder, 'reputation.bin')
    writeFileSync(`${path}.new`, bytes)
    renameSync(`${path}.new`, path)
    return createHash('sha256').update(bytes).digest('hex')
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

  /** Writes a site's objects and returns its feed entry. */
  site(facts: SiteFacts): FeedEntry {
    const site = facts.site ?? 1
    const hosts = facts.hosts ?? ['site.test']
    const customHeaders = facts.headers ? [this.part({ kind: 'customHeaders', module: 1, headers: facts.headers })] : []
    const artefact: Artefact = {
      schema: 2,
      site,
      revision: facts.revision ?? 1,
      requires: facts.requires ?? [],
      domains: hosts.map((name, i) => ({
        id: i + 1,
        name,
        origins: (facts.origins ?? []).map((origin, id) => ({
          ...{ id: id + 1, host: '127.0.0.1', port: 1, weight: 1, backup: false, tls: false },
          ...origin,
        })),
        balance: facts.balance ?? 'roundRobin',
        customHeaders,
        ...(facts.ofDomains?.[name] && { firewall: this.part(firewallOf(facts.ofDomains[name])) }),
        ...this.certificatesOf(site, name, facts.certificates),
        ...(facts.forceSsl && { forceSsl: true }),
        ...(facts.acme && { acme: facts.acme }),
        ...(facts.ports && { ports: facts.ports }),
        ...(facts.redirects && {
          urlRedirects: [this.part({ kind: 'urlRedirects', module: 2, rules: facts.redirects })],
        }),
        ...(facts.tokens && {
          tokenAuths: this.part({
            ...{ kind: 'tokenAuths', module: 5, secret: 'tokenAuth-5@1', rules: facts.tokens.rules },
          }),
        }),
        ...(facts.waf && { waf: this.waf(facts.waf) }),
        ...(facts.luaAcls && { luaAcls: this.part({ kind: 'luaAcls', module: 7, rules: facts.luaAcls }) }),
        ...(facts.auth && { authRules: this.part({ kind: 'authRules', rules: facts.auth.rules }) }),
        ...(facts.rewrites && {
          proxyRewrites: this.part({ kind: 'proxyRewrites', module: 4, rules: facts.rewrites }),
        }),
        ...(facts.cors && {
          cors: this.part({
            ...{ kind: 'cors', module: 3, origins: ['*'], methods: ['GET'], headers: [], exposeHeaders: [] },
            ...{ credentials: false, maxAge: 600 },
            ...facts.cors,
          }),
        }),
      })),
      parts: {
        settings: this.part({
          ...{
            kind: 'settings',
            bodyBytesMax: 0,
            originConnectTimeoutMs: 2000,
            originFirstByteTimeoutMs: 10_000,
            originIdleTimeoutMs: 10_000,
            websocketIdleTimeoutMs: 600_000,
            compression: { types: compressedTypes, minLength: 1024, level: 5 },
            trustedProxies: [],
          },
          ...(facts.credential !== undefined && { originCredentialHeader: 'X-Origin-Key' }),
          ...facts.settings,
        }),
        firewall: this.part(firewallOf(facts.firewall ?? {})),
        cache: this.part({ kind: 'cache', rules: facts.cache ?? [] }),
        ...(facts.bandwidth && { bandwidth: this.part({ kind: 'bandwidth', limits: facts.bandwidth }) }),
        ...(facts.apiShield && { apiShield: this.part({ kind: 'apiShield', ...facts.apiShield }) }),
        ...(facts.waf && { wafRules: this.part(facts.waf.rules) }),
        ...(facts.waf?.responses && { wafResponses: this.part(facts.waf.responses.rules) }),
      },
      lists: facts.lists ?? [],
      ...(facts.errorPages && {
        errorPages: facts.errorPages.map((pages) => this.part({ kind: 'errorPages', pages })),
      }),
      secrets: {
        ...(facts.credential !== undefined && { originCredential: 'originCredential@1' }),
        ...(facts.originKey && { originCertificate: 'originCertificate@1' }),
        ...(facts.tokens && { tokenAuths: ['tokenAuth-5@1'] }),
        ...(facts.auth && { authGroups: Object.keys(facts.auth.groups) }),
      },
      allowOrigins: facts.allowOrigins ?? ['127.0.0.0/8'],
    }
    if (facts.credential !== undefined) this.secret(site, 'originCredential@1', facts.credential)
    if (facts.originKey) this.secret(site, 'originCertificate@1', facts.originKey)
    if (facts.tokens) this.secret(site, 'tokenAuth-5@1', JSON.stringify(facts.tokens.keys))
    for (const [ref, group] of Object.entries(facts.auth?.groups ?? {})) this.secret(site, ref, JSON.stringify(group))
    return this.entry(artefact.site, artefact.revision, this.object(JSON.stringify(artefact)), hosts)
  }

  private waf({ rules, module, responses }: NonNullable<SiteFacts['waf']>): Hash {
    return this.part({
      ...{
        kind: 'waf',
        module: 6,
        ruleSet: this.part(rules),
        mode: 'enforce',
        blockType: 0,
        paranoia: 1,
        threshold: 5,
      },
      ...{ bodyBytes: 131_072, overBudget: 'block', rules: [], ...module },
      ...(responses && { responses: { mode: responses.mode, ruleSet: this.part(responses.rules) } }),
    })
  }

  /** Writes the certificates of a host and their keys. */
  private certificatesOf(site: number, host: string, given: SiteFacts['certificates']) {
    const read = (kind: string) => readFileSync(join(this.folder, `default.${kind}`), 'utf8')
    const shown = given === undefined ? [{ id: 1, chain: read('crt'), key: read('key') }] : given[host]
    if (shown === undefined || shown.length === 0) return {}
    const certificates = shown.map(({ id, chain, key, ...more }: DiskCertificate): CertificateRef => {
      this.secret(site, `certificate-${id}@1`, key)
      return {
        chain: this.part({ kind: 'certificate', certificate: id, chain }),
        key: `certificate-${id}@1`,
        ...{ algorithm: 'ecdsa', isAutomatic: false, notAfter: 4_000_000_000, ...more },
      }
    })
    return { certificates }
  }

  entry(site: number, revision: number, artefact: Hash | null, hosts: string[]): FeedEntry {
    this.sequence += 1
    return { sequence: this.sequence, site, revision, artefact, hosts }
  }

  /** Appends entries to the feed log. */
  feed(...entries: FeedEntry[]): void {
    for (const entry of entries) this.append('feed.log', entry)
  }

  purges(...records: z.output<typeof PurgeRecord>[]): void {
    for (const record of records) this.append('purges.log', record)
  }

  bans(...records: BanRecord[]): void {
    for (const record of records) this.append('bans.log', record)
  }

  private append(name: string, value: unknown): void {
    const json = JSON.stringify(value)
    const path = join(this.folder, 'log', name)
    appendFileSync(path, `${crc32(json).toString(16).padStart(8, '0')} ${json}\n`)
  }
}
