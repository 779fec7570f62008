/** What all areas say of themselves, found by their files. Loaded once there is a session. */
import type { Area } from './platform/manifest.ts'

export const areas = Object.values(import.meta.glob<{ area: Area }>('./*/area.ts', { eager: true })).map(
  ({ area }) => area,
)
