/** Combines the results of a zone trial: hour by hour, and its top lists. */
import type { ZoneTrial } from '@breakwater/contract/nodes/zone-trial.ts'

export const topMax = 10
const hourMs = 3_600_000

/** Epoch milliseconds, `toMs` exclusive. */
export type Span = { fromMs: number; toMs: number }
/** Requests of an hour (epoch seconds), and those that would have been refused. */
export type FoundHour = { hour: number; requests: number; refused: number }

export type Found = Pick<
  ZoneTrial,
  'would' | 'alreadyRefused' | 'addresses' | 'sites' | 'topAddresses' | 'oneIn' | 'isPartial'
> & {
  topSites: { site: number; requests: number }[]
  hours: FoundHour[]
}

/** What counts as one client: an IPv4 address, or an IPv6 /64. */
export const clientOf = 'cutIPv6(address, 8, 0)'
export const shownClient = (client: string): string => client.replace('::ffff:', '')

/** Every hour that the span overlaps. */
export function hourly({ fromMs, toMs }: Span, hours: readonly FoundHour[]): ZoneTrial['series'] {
  const byHour = new Map(hours.map((one) => [one.hour * 1000, one]))
  const series: ZoneTrial['series'] = []
  for (let at = Math.floor(fromMs / hourMs) * hourMs; at < toMs; at += hourMs) {
    const { requests = 0, refused = 0 } = byHour.get(at) ?? {}
    series.push({ time: new Date(at).toISOString(), requests, refused })
  }
  return series
}
