/** What the address data of a release is, as the build of the edge writes it (`edge/lua/address-data.json`) and the control plane shows it. */
import { z } from 'zod'

export const ReleaseData = z.object({
  source: z.string(),
  /** Whom its licence wants to be named, and the licence. */
  credit: z.string(),
  licence: z.string(),
  builtAt: z.string(),
  v4: z.number().int(),
  v6: z.number().int(),
})
export type ReleaseData = z.output<typeof ReleaseData>
export const ReleaseFacts = z.object({ countries: ReleaseData, networks: ReleaseData })
