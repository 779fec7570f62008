/** Health of the control plane, and regions. */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { wordOf } from '../enumeration.ts'

export type Region = {
  id: number
  code: string
  alpha2: string
  countryName: string
  cityName: string
  continentCode: string
  children: Region[]
}
const HealthStatus = wordOf('HealthStatus', 'degraded serves, but something is missing.', ['ok', 'degraded', 'down'])

export const Region: z.ZodType<Region> = z
  .object({
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
  .meta({ id: 'Region', description: 'A continent with its countries, or a country.' })

export const system = {
  health: endpoint('health.get', 'GET', '/health', {
    can: 'public',
    reply: z.object({
      status: HealthStatus,
      /** Details are included only with a session that may read them. */
      components: z.array(z.object({ name: z.string(), status: HealthStatus, detail: z.string() })),
    }),
    summary: 'Returns the health of the control plane.',
  }),
  regions: endpoint('geo.regions', 'GET', '/:tier/geoips', {
    can: 'signedIn',
    reply: z.object({ data: z.array(Region), total: z.number().int() }),
    kind: 'list',
    summary: 'Lists continents and countries.',
  }),
}
