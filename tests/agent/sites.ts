/** Makes artefacts and parts as the control plane renders them. */
import { type Artefact, schemaBefore, schemaCurrent } from '@breakwater/contract/edge/artefact.ts'
import type { ArtefactBefore } from '@breakwater/contract/edge/artefact-before.ts'
import type { FeedEntry } from '@breakwater/contract/edge/node-api.ts'
import type { Plane } from './plane.ts'

type Published = Omit<FeedEntry, 'sequence'>
export type Making = { site: number; revision: number; host?: string; headers?: string[]; secret?: string }

const settings = {
  kind: 'settings',
  originCredentialHeader: 'x-origin',
  bodyBytesMax: 0,
  originConnectTimeoutMs: 1000,
  originReadTimeoutMs: 1000,
  trustedProxies: [],
}
const firewall = { kind: 'firewall', allowRules: [], denyRules: [], rateRules: [], bodyRules: [] }
const rateRule = { id: 4, urlRegex: '/login', rate: 1, burst: 0, blockType: 1 }

export const origin = { id: 1, host: '127.0.0.1', port: 9, weight: 1, backup: false, tls: false }

/** Stores a site's artefact and parts, and says the feed entry for it. */
export function makeSite(plane: Plane, making: Making): Published & { artefact: string; parts: Artefact['parts'] } {
  const { site, revision, host = `site${site}.test`, secret } = making
  const customHeaders = (making.headers ?? []).map((value) =>
    plane.keep({ kind: 'customHeaders', module: 5, headers: [{ id: 1, type: 'response', key: 'x-module', value }] }),
  )
  const parts = {
    settings: plane.keep({ ...settings, originReadTimeoutMs: 1000 + site }),
    firewall: plane.keep(firewall),
    cache: plane.keep({ kind: 'cache', rules: [] }),
  }
  const artefact: Artefact = {
    schema: schemaCurrent,
    site,
    revision,
    domains: [{ id: site, name: host, origins: [origin], balance: 'roundRobin', customHeaders }],
    parts,
    lists: [],
    secrets: secret === undefined ? {} : { originCredential: secret },
    allowOrigins: ['127.0.0.0/8'],
  }
  return { site, revision, artefact: plane.keep(artefact), hosts: [host], parts }
}

/** The same for a node of the schema before: flat hosts, rules without a mode. */
export function makeSiteBefore(plane: Plane, { site, revision }: Making): Published {
  const host = `site${site}.test`
  const before: ArtefactBefore = {
    schema: schemaBefore,
    site,
    revision,
    hosts: [{ id: site, name: host, origins: [origin], headers: [] }],
    parts: {
      settings: plane.keep(settings),
      firewall: plane.keep({ kind: 'firewall', allowRules: [], denyRules: [], rateRules: [rateRule] }),
      cache: plane.keep({ kind: 'cache', rules: [] }),
    },
    lists: [],
    secrets: {},
    allowOrigins: [],
  }
  return { site, revision, artefact: plane.keep(before), hosts: [host] }
}
