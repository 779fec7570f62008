/** Whether a domain is proven to belong to its customer, in a word. */
import type { ownershipStates } from '@breakwater/contract/domains/domains.ts'
import { Status, type Tone } from '../kit/Status.tsx'
import { usePhrases } from '../platform/phrases.ts'

type State = (typeof ownershipStates)[number]

const tones: Record<State, Tone> = { pending: 'warn', proven: 'ok', approved: 'ok', preview: 'mute' }

export function Ownership({ state }: { state: State }) {
  const t = usePhrases('domains')
  return <Status tone={tones[state]}>{t(`ownership.${state}`)}</Status>
}
