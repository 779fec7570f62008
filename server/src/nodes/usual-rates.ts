/** The usual requests per second of a site at this hour: the 95th percentile of the same hour over seven days. */
import type { ClickHouseClient } from '@clickhouse/client'
import type { Logger } from 'pino'
import { queryRows } from '../events/store.ts'

const hourMs = 3_600_000
/** A failed query is retried after this time. */
const retryMs = 30_000

export class UsualRates {
  private readonly known = new Map<number, { rate: number; hour: number }>()
  private isAsking = false
  private askAfter = 0

  private readonly events: ClickHouseClient
  private readonly logger: Logger

  constructor(events: ClickHouseClient, logger: Logger) {
    this.events = events
    this.logger = logger
  }

  /**
   * The rates that are known; the others are queried in the background. An hour's rates are used for the next hour
   * until its own are known.
   */
  of(sites: readonly number[], now = Date.now()): { site: number; rate: number }[] {
    const hour = Math.floor(now / hourMs)
    const missing = sites.filter((site) => this.known.get(site)?.hour !== hour)
    if (missing.length > 0 && !this.isAsking && now >= this.askAfter) void this.ask(missing, hour)
    return sites.flatMap((site) => {
      const known = this.known.get(site)
      return known ? [{ site, rate: known.rate }] : []
    })
  }

  private async ask(sites: readonly number[], hour: number): Promise<void> {
    this.isAsking = true
    try {
      const rows = await queryRows<{ site: number; rate: number }>(
        this.events,
        `SELECT site, quantile(0.95)(passed / 300) AS rate FROM (
          SELECT site, time, sum(requests) AS passed FROM requests_per_five_minutes_v1
          WHERE site IN {sites:Array(UInt32)} AND action NOT IN ('block', 'challenge')
            AND time >= toDateTime({hour:UInt32} * 3600 - 604800) AND time < toDateTime({hour:UInt32} * 3600)
            AND toHour(time, 'UTC') = {hour:UInt32} % 24
          GROUP BY site, time
        ) GROUP BY site`,
        { sites: [...sites], hour },
      )
      const rates = new Map(rows.map(({ site, rate }) => [site, Number(rate)]))
      for (const site of sites) this.known.set(site, { rate: rates.get(site) ?? 0, hour })
      for (const [site, { hour: of }] of this.known) if (of < hour - 1) this.known.delete(site)
    } catch (error) {
      this.askAfter = Date.now() + retryMs
      this.logger.warn({ err: error }, 'what is usual for sites is not known')
    } finally {
      this.isAsking = false
    }
  }
}
