/** Health of the control plane, and regions. */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

export type Region = {
  id: number
  code: string
  alpha2: string
  countryName: string
  cityName: string
  continentCode: string
  children: Region[]
}
export const Region: z.ZodType<Region> = z.object({
  id: z.number().int(),
  code: z.string(),
  alpha2: z.string(),
  countryName: z.string(),
  cityName: z.string(),
  continentCode: z.string(),
  get children() {
    return z.array(Region)
  },
})

export const system = {
  health: endpoint('health.get', 'GET', '/health', {
    can: 'public',
    reply: z.object({
      status: z.enum(['ok', 'degraded', 'down']),
      /** Details only with a session that may read them. */
      components: z.array(
        z.object({ name: z.string(), status: z.enum(['ok', 'degraded', 'down']), detail: z.string() }),
      ),
    }),
    summary: 'Whether the control plane serves.',
  }),
  regions: endpoint('geo.regions', 'GET', '/:tier/geoips', {
    can: 'signedIn',
    reply: z.object({ data: z.array(Region), total: z.number().int() }),
    kind: 'list',
    summary: 'Continents and countries.',
  }),
}
