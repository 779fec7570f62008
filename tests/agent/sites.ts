/** Makes artefacts and parts as the control plane renders them. */
import { type Artefact, schemaCurrent } from '@breakwater/contract/edge/artefact.ts'
import type { FeedEntry } from '@breakwater/contract/edge/node-api.ts'
import type { FakeControlPlane } from './control-plane.ts'

type Published = Omit<FeedEntry, 'sequence'>
export type Making = { site: number; revision: number; host?: string; headers?: string[]; secret?: string }

const settings = {
  kind: 'settings',
  originCredentialHeader: 'x-origin',
  bodyBytesMax: 0,
  originConnectTimeoutMs: 1000,
  originFirstByteTimeoutMs: 1000,
  originIdleTimeoutMs: 1000,
  websocketIdleTimeoutMs: 1000,
  trustedProxies: [],
}
const firewall = { kind: 'firewall', allowRules: [], denyRules: [], rateRules: [], bodyRules: [] }

export const origin = { id: 1, host: '127.0.0.1', port: 9, weight: 1, backup: false, tls: false }

/** Stores a site's artefact and parts, and returns the feed entry for it. */
export function makeSite(
  plane: FakeControlPlane,
  making: Making,
): Published & { artefact: string; parts: Artefact['parts'] } {
  const { site, revision, host = `site${site}.test`, secret } = making
  const customHeaders = (making.headers ?? []).map((value) =>
    plane.keep({ kind: 'customHeaders', module: 5, headers: [{ id: 1, type: 'response', key: 'x-module', value }] }),
  )
  const parts = {
    settings: plane.keep({ ...settings, originIdleTimeoutMs: 1000 + site }),
    firewall: plane.keep(firewall),
    cache: plane.keep({ kind: 'cache', rules: [] }),
  }
  const artefact: Artefact = {
    schema: schemaCurrent,
    site,
    revision,
    requires: [],
    domains: [{ id: site, name: host, origins: [origin], balance: 'roundRobin', customHeaders }],
    parts,
    lists: [],
    secrets: secret === undefined ? {} : { originCredential: secret },
    allowOrigins: ['127.0.0.0/8'],
  }
  return { site, revision, artefact: plane.keep(artefact), hosts: [host], parts }
}
