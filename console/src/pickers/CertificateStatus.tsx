/** The certificate state of a domain, in a word. */
import { certStatuses } from '@breakwater/contract/domains/domains.ts'
import { Status, type Tone } from '../kit/Status.tsx'
import { usePhrases } from '../platform/phrases.ts'

type Name = keyof typeof certStatuses
const tones: Record<Name, Tone> = {
  ...{ none: 'mute', valid: 'ok', expiring: 'warn', expired: 'bad', pending: 'info', failed: 'bad' },
}
const names = new Map(Object.entries(certStatuses).map(([name, value]) => [value as number, name as Name]))

/** The polling interval while a certificate is being ordered, in ms; undefined if none is. */
export const whileOrdered = (statuses: readonly number[] | undefined): number | undefined =>
  statuses?.includes(certStatuses.pending) ? 3000 : undefined

export function CertificateStatus({ status }: { status: number }) {
  const t = usePhrases('certificates')
  const name = names.get(status) ?? 'none'
  return (
    <Status tone={tones[name]} going={name === 'pending'}>
      {t(`state.${name}`)}
    </Status>
  )
}
