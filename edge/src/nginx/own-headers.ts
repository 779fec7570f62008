/** The response headers that the edge adds for visitors. */
import type { NodeSettings } from '@breakwater/contract/edge/node-disk.ts'

/**
 * Needed again in each location that has other ones: nginx inherits all or none. `cacheStatus` is the variable of
 * X-Cache. The request path announces HTTP/3 if the site wants that (`phases/alt-svc.ts`).
 */
export const ownHeaders = (settings: NodeSettings, cacheStatus: string): string[] => [
  `add_header X-Cache ${cacheStatus} always;`,
  'add_header X-Request-ID $bw_id always;',
  ...(settings.http3 ? ['add_header Alt-Svc $bw_alt_svc always;'] : []),
]
