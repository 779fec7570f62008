/** How the states of a domain's DNS look, as the calls number them: unchecked, here, elsewhere, nowhere. */
import type { Tone } from '../kit/Status.tsx'

export const dnsTones: Record<number, Tone> = { 0: 'mute', 1: 'ok', 2: 'warn', 3: 'mute' }
