/** What a rate limit over all sites of a zone would have refused, from logged requests. */
import { answerPath } from '@breakwater/contract/edge/answer-path.ts'
import { zoneTrialRowsMax } from '@breakwater/contract/nodes/zone-trial.ts'
import type { ClickHouseClient } from '@clickhouse/client'
import type { Clause } from '../events/clause.ts'
import { type Params, queryRows } from '../events/store.ts'
import { isRefused } from '../events/top-lists.ts'
import { type WalkedRow, walkLimit } from './zone-limit-walk.ts'
import { clientOf, type Found, shownClient, topMax } from './zone-trial-found.ts'

/** Rows per query, and clients that are examined. */
const pageRows = 50_000
const clientsMax = 20_000
const secondsMax = 30

/** What a limit counts: requests that the site let pass without an allow rule, and those that a limit refused. */
const isCounted =
  "((action IN ('pass', 'observe') AND guard != 'allowRules') OR guard = 'zoneAntiCC') AND path != {answerPath:String}"
const isPass = 'path = {answerPath:String} AND status = 204'

type LimitRow = Omit<WalkedRow, 'isBot' | 'isPass'> & {
  site: number
  isBot: number
  isPass: number
  wasRefused: number
}
type Client = { client: string; found: number }

export async function tryLimit(
  events: ClickHouseClient,
  rows: Clause,
  limit: { seconds: number; times: number },
): Promise<Found> {
  const endMs = performance.now() + secondsMax * 1000
  const params = { ...rows.params, answerPath, times: limit.times, clientsMax }
  const [hours, clients] = await Promise.all([
    queryRows<{ hour: number; requests: number }>(
      events,
      `SELECT toUnixTimestamp(toStartOfHour(time)) AS hour, sum(weight) AS requests FROM requests_raw_v1 WHERE ${rows.sql} GROUP BY hour`,
      rows.params,
    ),
    // A client below the limit over the whole time was never above it within a part of the time.
    queryRows<Client>(
      events,
      `SELECT ${clientOf} AS client, count() AS found FROM requests_raw_v1 WHERE ${rows.sql} AND ${isCounted}
GROUP BY client HAVING sum(weight) > {times:UInt32} ORDER BY found DESC, client LIMIT {clientsMax:UInt32}`,
      params,
    ),
  ])
  const tally = makeTally()
  const walk = walkLimit(limit)
  let seen = 0
  let isPartial = clients.length === clientsMax
  for await (const page of pagesOf(events, rows, params, clients)) {
    for (const { isBot, isPass, ...row } of page) {
      const walked = walk({ ...row, isBot: isBot === 1, isPass: isPass === 1 })
      if (walked !== 'pass') tally.add(row, walked)
    }
    seen += page.length
    if (seen >= zoneTrialRowsMax || performance.now() > endMs) {
      isPartial = true
      break
    }
  }
  const { refusedIn, ...found } = tally.result()
  return {
    ...{ ...found, oneIn: 1, isPartial },
    hours: hours.map(({ hour, requests }) => ({ hour, requests, refused: refusedIn.get(hour) ?? 0 })),
  }
}

/** The rows of all clients, ordered by client and then by time. One client's flood may fill many pages. */
async function* pagesOf(
  events: ClickHouseClient,
  rows: Clause,
  params: Params,
  clients: readonly Client[],
): AsyncGenerator<LimitRow[]> {
  for (const some of inChunks(clients)) {
    let page: LimitRow[]
    let offset = 0
    do {
      page = await queryRows<LimitRow>(
        events,
        `SELECT ${clientOf} AS client, site, weight, toUInt32(cityHash64(userAgent)) AS agent, bot != '' AS isBot,
  ${isPass} AS isPass, ${isRefused} AS wasRefused, (toUnixTimestamp64Milli(time) - toInt64(round(requestTime))) / 1000 AS came
FROM requests_raw_v1 WHERE ${rows.sql} AND ((${isCounted}) OR (${isPass})) AND client IN {clients:Array(String)}
ORDER BY client, came, requestId LIMIT {pageRows:UInt32} OFFSET {offset:UInt32}`,
        { ...params, clients: some, pageRows, offset },
      )
      yield page
      offset += pageRows
    } while (page.length === pageRows)
  }
}

/** Groups of clients whose rows are read in one query. */
function* inChunks(clients: readonly Client[]): Generator<string[]> {
  let some: string[] = []
  let rows = 0
  for (const { client, found } of clients) {
    if (some.length > 0 && rows + found > pageRows) {
      yield some
      ;[some, rows] = [[], 0]
    }
    some.push(client)
    rows += found
  }
  if (some.length > 0) yield some
}

/** Counts the requests that a limit would have refused. */
function makeTally() {
  const would = { block: 0, challenge: 0 }
  const ofClient = new Map<string, number>()
  const ofSite = new Map<number, number>()
  const refusedIn = new Map<number, number>()
  let alreadyRefused = 0
  const add = <Key>(map: Map<Key, number>, key: Key, weight: number) => map.set(key, (map.get(key) ?? 0) + weight)
  const top = <Key>(map: Map<Key, number>) => [...map].sort(([, one], [, other]) => other - one).slice(0, topMax)
  return {
    add({ client, site, came, weight, wasRefused }: Omit<LimitRow, 'isBot' | 'isPass'>, walked: 'block' | 'challenge') {
      would[walked] += weight
      if (wasRefused === 1) alreadyRefused += weight
      add(ofClient, client, weight)
      add(ofSite, site, weight)
      add(refusedIn, Math.floor(came / 3600) * 3600, weight)
    },
    result: () => ({
      ...{ would, alreadyRefused, addresses: ofClient.size, sites: ofSite.size, refusedIn },
      topAddresses: top(ofClient).map(([client, requests]) => ({ name: shownClient(client), requests })),
      topSites: top(ofSite).map(([site, requests]) => ({ site, requests })),
    }),
  }
}
