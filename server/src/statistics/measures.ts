/** The measures by name: defined once for cards, series and ranks, so that they agree. */
import { isRefused } from '../events/top-lists.ts'

/** The product's own code if the edge decided, else the status that the visitor got. */
export const codeColumn = 'if(cause > 0, cause, status) AS code'

export const measureColumns = `time, status, cause, ${codeColumn}, guard, action, cache, requests, bytesSent, bytesReceived, originRequests`

export const requestsIf = (condition: string) => `sumIf(requests, ${condition})`
export const bytesIf = (condition: string) => `sumIf(bytesSent, ${condition})`

export const passed = `NOT (${isRefused})`
export const hits = requestsIf("cache IN ('HIT', 'STALE', 'REVALIDATED', 'UPDATING')")

/** `sum AS name` for each measure. */
export const named = (measures: Record<string, string>): string =>
  Object.entries(measures)
    .map(([name, sum]) => `${sum} AS \`${name}\``)
    .join(',\n  ')
