/**
 * The calls for zones, nodes, their settings, and purges, mounted as in the product, for callers without a password.
 */

import { zoneShadow } from '@breakwater/contract/nodes/rule-sets.ts'
import { verifiedBots } from '@breakwater/contract/nodes/zone-bots.ts'
import { invalidDomainLimitCountSettings, kernelBans, zoneAntiCC } from '@breakwater/contract/nodes/zone-firewall.ts'
import {
  forceSSLRedirectCodeSettings,
  headLimits,
  http2Settings,
  http3Settings,
  nodeStorage,
  tlsLimitCountSettings,
} from '@breakwater/contract/nodes/zone-settings.ts'
import { type Permission, permissions } from '@breakwater/contract/permissions.ts'
import { blockIPsFeature } from '../../bans/block-ips.ts'
import { reputationFeature } from '../../firewall/reputation-settings.ts'
import { makeApp } from '../../http/app.ts'
import { Fault } from '../../http/fault.ts'
import type { Caller } from '../../http/implement.ts'
import { mount } from '../../http/mount.ts'
import { addressDataFeature } from '../../node-configuration/address-data.ts'
import { zoneRuleSetFeature } from '../../node-configuration/observed-rules.ts'
import { originAuthoritiesFeature } from '../../node-configuration/origin-authorities.ts'
import { requireTried, ruleSetsFeature } from '../../node-configuration/rule-sets.ts'
import { zoneBansFeature } from '../../node-configuration/zone-bans.ts'
import { zoneFirewallFeature } from '../../node-configuration/zone-firewall.ts'
import { zonePortsFeature } from '../../node-configuration/zone-ports.ts'
import { zoneSettingsFeature } from '../../node-configuration/zone-settings.ts'
import { makeOutboundGuard } from '../../outbound/guard.ts'
import { addressReputationFeature } from '../../reputation/address-reputation.ts'
import { makeTestBudget } from '../../testing/server.ts'
import { zoneConfigurationFeature } from '../configuration-status.ts'
import { nodesFeature } from '../nodes.ts'
import { preheatFeature, zonePreheatFeature } from '../preheat.ts'
import { preheatSitemapFeature } from '../preheat-sitemap.ts'
import { purgeFeature } from '../purge.ts'
import type { NodeApiFixture } from './node-api-fixture.ts'
import type { Answer } from './test-node.ts'

export type Api = {
  /** Uploads a file in a form. */
  upload(as: Caller, path: string, file: File): Promise<Answer>
  form(as: Caller, path: string, fields: Record<string, string | File>): Promise<Answer>
  call(as: Caller, method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<Answer>
  close(): Promise<void>
}

let sessions = 0

/** A signed-in caller, with every permission by default. */
export function callerOf(tenantId: number, tier: 'user' | 'client', can: readonly Permission[] = permissions): Caller {
  sessions += 1
  return {
    accountId: sessions,
    accountName: `${tier}-${tenantId}`,
    tenantId,
    tier,
    isRoot: true,
    sessionId: sessions,
    mustChangePassword: false,
    permissions: new Set(can),
  }
}

export async function startApi({ services }: NodeApiFixture): Promise<Api> {
  const app = makeApp(services.logger)
  const callers = new Map<string, Caller>()
  const features = [
    nodesFeature(services),
    blockIPsFeature(),
    addressReputationFeature(),
    reputationFeature({ ...services, guard: makeOutboundGuard([]), publisher: { parts: [], allowOrigins: [] } }),
    purgeFeature(services),
    preheatFeature(services),
    zonePreheatFeature(services),
    preheatSitemapFeature({ ...services, guard: makeOutboundGuard(['127.0.0.0/8']) }),
    zoneConfigurationFeature(),
    zonePortsFeature(),
    zoneSettingsFeature(http2Settings),
    zoneSettingsFeature(http3Settings),
    zoneSettingsFeature(forceSSLRedirectCodeSettings),
    zoneSettingsFeature(tlsLimitCountSettings),
    zoneSettingsFeature(zoneAntiCC),
    zoneSettingsFeature(invalidDomainLimitCountSettings),
    zoneFirewallFeature(),
    zoneSettingsFeature(kernelBans),
    zoneBansFeature(),
    zoneSettingsFeature(verifiedBots),
    zoneSettingsFeature(headLimits),
    originAuthoritiesFeature(),
    zoneSettingsFeature(nodeStorage),
    zoneRuleSetFeature(services),
    zoneSettingsFeature(zoneShadow, { check: requireTried }),
    ruleSetsFeature(services),
    addressDataFeature(),
  ]
  mount(app, features, {
    database: services.database,
    vault: services.vault,
    checksReplies: true,
    budget: makeTestBudget(),
    requireCurrent: async () => {},
    async identify(authorization, tier) {
      const caller = callers.get(authorization ?? '')
      if (!caller || (tier !== undefined && caller.tier !== tier)) throw new Fault('invalidToken')
      return caller
    },
    identifyAgain: async (caller) => caller,
  })
  await app.ready()
  async function call(as: Caller, method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, payload?: object) {
    const authorization = String(as.sessionId)
    callers.set(authorization, as)
    const sent = payload === undefined ? {} : { payload }
    const answer = await app.inject({ method, url: `/api/v1${path}`, headers: { authorization }, ...sent })
    return { status: answer.statusCode, body: answer.json() }
  }
  function sendForm(as: Caller, path: string, fields: Record<string, string | File>) {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    return call(as, 'POST', path, form)
  }
  return {
    call: (as, method, path, body) => call(as, method, path, body as object | undefined),
    upload: (as, path, file) => sendForm(as, path, { file }),
    form: sendForm,
    close: () => app.close(),
  }
}
