/** The single settings of zones, as shown in lists of zones. */
import { invalidDomainLimitCountSettings } from '@breakwater/contract/nodes/zone-firewall.ts'
import {
  forceSSLRedirectCodeSettings,
  http2Settings,
  http3Settings,
  tlsLimitCountSettings,
} from '@breakwater/contract/nodes/zone-settings.ts'
import type { Database } from '../db/database.ts'
import { groupOf } from './document.ts'

/** The effective settings of each of these zones. Runs as the caller, who sees only their own. */
export async function settingsOfZones(db: Database, zoneIds: number[]) {
  const rows =
    zoneIds.length === 0
      ? []
      : await db
          .selectFrom('settings')
          .select(['ownerId', 'name', 'value'])
          .where('owner', '=', 'zone')
          .where('ownerId', 'in', zoneIds)
          .execute()
  return (zoneId: number) => {
    const saved = Object.fromEntries(rows.filter((row) => row.ownerId === zoneId).map((row) => [row.name, row.value]))
    return {
      http2: groupOf(saved, http2Settings).enable,
      http3: groupOf(saved, http3Settings).enable,
      ...groupOf(saved, forceSSLRedirectCodeSettings),
      ...groupOf(saved, tlsLimitCountSettings),
      ...groupOf(saved, invalidDomainLimitCountSettings),
    }
  }
}
