/**
 * The one record that a customer sets so that we can prove a name to certificate authorities repeatedly, without access
 * to the customer's DNS.
 */
import { createHash } from 'node:crypto'

export type ChallengeRecord = { name: string; value: string }

/**
 * A CNAME that is set once. A wildcard and its parent name share it, as authorities look up the same name for both. The
 * label depends on the customer, so that a leftover record is useless to any other customer.
 */
export function challengeRecordOf(zone: string, tenantId: number, domain: string): ChallengeRecord {
  const base = domain.replace(/^\*\./, '')
  const label = createHash('sha256').update(`acme/${tenantId}/${base}`).digest('hex').slice(0, 24)
  return { name: `_acme-challenge.${base}`, value: `${label}.acme.${zone}` }
}
