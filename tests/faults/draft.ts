/** A site as a control plane renders it, which can be corrupted before it is published. */
import { schemaCurrent } from '@breakwater/contract/edge/artefact.ts'
import type { FeedEntry } from '@breakwater/contract/edge/node-api.ts'
import type { FakeControlPlane } from '../agent/control-plane.ts'

// biome-ignore lint/suspicious/noExplicitAny: what a fault makes of it has no type.
type Anything = any

export type Published = Omit<FeedEntry, 'sequence'>

export class Draft {
  readonly plane: FakeControlPlane
  readonly site: number
  readonly revision: number
  readonly host: string
  settings: Anything = {
    kind: 'settings',
    bodyBytesMax: 0,
    originConnectTimeoutMs: 1000,
    originFirstByteTimeoutMs: 5000,
    originIdleTimeoutMs: 5000,
    websocketIdleTimeoutMs: 5000,
    trustedProxies: [],
  }
  firewall: Anything = { kind: 'firewall', allowRules: [], denyRules: [], rateRules: [], bodyRules: [] }
  cache: Anything = { kind: 'cache', rules: [] }
  headers: Anything
  artefact: Anything

  constructor(plane: FakeControlPlane, site: number, revision: number, originPort: number) {
    Object.assign(this, { plane, site, revision })
    this.plane = plane
    this.site = site
    this.revision = revision
    this.host = `site${site}.test`
    // Every response carries the site and revision that answered, so that a wrong one is noticed.
    const header = { id: 1, type: 'response', key: 'x-version', value: `${site}.${revision}` }
    this.headers = { kind: 'customHeaders', module: site, headers: [header] }
    const origin = { id: site, host: '127.0.0.1', port: originPort, weight: 1, backup: false, tls: false }
    this.artefact = {
      schema: schemaCurrent,
      site,
      revision,
      requires: [],
      domains: [{ id: site, name: this.host, origins: [origin], balance: 'roundRobin', customHeaders: [] }],
      lists: [],
      secrets: {},
      allowOrigins: ['127.0.0.0/8'],
    }
  }

  /** Stores the parts and points the artefact at them; what already points elsewhere is kept. */
  link(): this {
    const { plane, settings, firewall, cache, headers } = this
    const parts = { settings: plane.keep(settings), firewall: plane.keep(firewall), cache: plane.keep(cache) }
    this.artefact.parts = { ...parts, ...this.artefact.parts }
    this.artefact.domains[0].customHeaders = [plane.keep(headers)]
    return this
  }

  /** The artefact's bytes as they would be sent. */
  bytes(): Buffer {
    return Buffer.from(JSON.stringify(this.link().artefact))
  }

  entry(bytes: Buffer = this.bytes()): Published {
    return { site: this.site, revision: this.revision, hosts: [this.host], artefact: this.plane.keep(bytes) }
  }

  rateRule(change: Anything = {}): this {
    const rule = { id: 4, urlRegex: '/login', rate: 1, burst: 0, blockType: 1, mode: 'enforce' }
    this.firewall.rateRules.push({ ...rule, ...change })
    return this
  }

  denyRule(change: Anything = {}): this {
    this.firewall.denyRules.push({ id: 5, urlRegex: '', methods: [], ips: ['192.0.2.1'], mode: 'enforce', ...change })
    return this
  }
}
