/** How the urgency of an announcement is shown. */
import type { AnnouncementLevel } from '@breakwater/contract/announcements/announcements.ts'
import type { Tone } from '../kit/Status.tsx'

export const toneOf: Record<AnnouncementLevel, Tone> = { info: 'info', warn: 'warn', critical: 'bad' }
