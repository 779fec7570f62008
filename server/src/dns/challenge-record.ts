/** The one record that a customer sets so that we can prove a name to certificate authorities, again and again, without access to the customer's DNS. */
import { createHash } from 'node:crypto'

export type ChallengeRecord = { name: string; value: string }

/**
 * A CNAME, once and for all. A wildcard and the name below its star share it, as authorities look in one place for both.
 * The label is of the customer: a record that was left behind serves no other one.
 */
export function challengeRecordOf(zone: string, tenantId: number, domain: string): ChallengeRecord {
  const base = domain.replace(/^\*\./, '')
  const label = createHash('sha256').update(`acme/${tenantId}/${base}`).digest('hex').slice(0, 24)
  return { name: `_acme-challenge.${base}`, value: `${label}.acme.${zone}` }
}
