/** Tones for the DNS states of a domain, by their number in the API: unchecked, here, elsewhere, nowhere. */
import type { Tone } from '../kit/Status.tsx'

export const dnsTones: Record<number, Tone> = { 0: 'mute', 1: 'ok', 2: 'warn', 3: 'mute' }
