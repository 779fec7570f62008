/**
 * The address data of a release: the build of the edge writes these facts (`edge/lua/address-data.json`), the control
 * plane shows them.
 */
import { z } from 'zod'

export const ReleaseData = z.object({
  source: z.string(),
  /** The attribution that its licence requires, and the licence. */
  credit: z.string(),
  licence: z.string(),
  builtAt: z.string(),
  v4: z.number().int(),
  v6: z.number().int(),
})
export type ReleaseData = z.output<typeof ReleaseData>
export const ReleaseFacts = z.object({ countries: ReleaseData, networks: ReleaseData })
