/** Requests of domains in each of the last 24 hours, for a list that shows many at once. */
import { StatisticsFilter } from '@breakwater/contract/statistics/statistics.ts'
import type { ClickHouseClient } from '@clickhouse/client'
import type { EventScope } from '../events/scope.ts'
import { queryRows } from '../events/store.ts'
import { requestSource } from './pieces.ts'
import { seriesQuestion } from './question.ts'

const hours = 24
const hourMs = 3_600_000

export type DomainHours = { id: number; requests: number; hours: number[] }

/** `scope` is that of the domains. Hours begin at full hours of UTC; the last one is still in progress. */
export async function answerDomainHours(
  events: ClickHouseClient,
  domains: { id: number; name: string; siteId: number }[],
  scope: EventScope,
  nowMs: number,
): Promise<DomainHours[]> {
  const endTime = (Math.floor(nowMs / hourMs) + 1) * hourMs
  const startTime = endTime - hours * hourMs
  const asked = {
    type: 2 as const,
    minutesStep: 60 as const,
    page: 1,
    pageSize: hours,
    filter: StatisticsFilter.parse({}),
  }
  const scopeless = { siteIDs: [], domainIDs: [], zoneIDs: [] }
  const { pieces, narrowing } = seriesQuestion({ ...asked, ...scopeless, startTime, endTime }, scope, endTime)
  const source = requestSource('site, time, domain, requests', pieces, { scope, narrowing })
  const rows = await queryRows<{ site: number; host: string; hour: number; requests: number }>(
    events,
    `SELECT site, domain AS host, intDiv(toUnixTimestamp(time) - {origin:UInt32}, 3600) AS hour, sum(requests) AS requests
     FROM ${source.sql} GROUP BY site, host, hour`,
    { ...source.params, origin: startTime / 1000 },
  )
  return domains.map(({ id, name, siteId }) => {
    const own = rows.filter(({ site, host }) => site === siteId && (host === name || host.endsWith(suffixOf(name))))
    const each = Array.from({ length: hours }, () => 0)
    for (const { hour, requests } of own) each[hour] = (each[hour] ?? 0) + Number(requests)
    return { id, requests: each.reduce((sum, one) => sum + one, 0), hours: each }
  })
}

/** The suffix of hosts below a wildcard; nothing ends with that of any other name. */
const suffixOf = (name: string): string => (name.startsWith('*.') ? name.slice(1) : '\0')
