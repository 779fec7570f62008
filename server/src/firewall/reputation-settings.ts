/** The operator's list of networks with scores, and whether bans count. */
import { reputationSettings } from '@breakwater/contract/firewall/reputation.ts'
import type { Feature } from '../http/implement.ts'
import type { Services } from '../process/services.ts'
import { forgetReputation } from '../reputation/reputation.ts'
import { settingsFeature } from '../settings/owned-settings.ts'

type Saved = typeof reputationSettings.defaults

export function reputationFeature(services: Services): Feature {
  return settingsFeature(services, reputationSettings, {
    saved: reputationSettings.schema,
    none: reputationSettings.defaults,
    save: (_services, _db, _caller, body): Saved => body,
    show: (_services, _caller, value): Saved => value,
    // Only the number: nobody reads thousands of lines in the audit log.
    audited: ({ countsBans, networks }) => ({ countsBans, networks: networks.length }),
    changed: async (_services, _db, { tenantId }) => forgetReputation(tenantId),
  })
}
