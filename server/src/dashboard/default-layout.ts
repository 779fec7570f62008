/** The default layout of a console. Positions and sizes are columns and rows of a twelve-column grid. */
import type { Widget } from '@breakwater/contract/dashboard/dashboard.ts'
import { cardTypes, seriesTypes, topTypes } from '@breakwater/contract/statistics/statistics.ts'

const home = (id: string, kind: Widget['kind'], type: number, x: number, y: number, w: number, h: number): Widget => ({
  id,
  kind,
  type,
  board: '',
  x,
  y,
  w,
  h,
})

/** Both consoles start with the same layout. */
export const defaultWidgets: Widget[] = [
  home('requests', 'card', cardTypes.request, 0, 0, 12, 1),
  home('bandwidth', 'series', seriesTypes.bandwidth, 0, 1, 8, 3),
  home('status', 'series', seriesTypes.status, 8, 1, 4, 3),
  home('rate', 'series', seriesTypes.rate, 0, 4, 6, 3),
  home('cache', 'series', seriesTypes.cache, 6, 4, 6, 3),
  home('urls', 'top', topTypes.url, 0, 7, 4, 4),
  home('countries', 'top', topTypes.country, 4, 7, 4, 4),
  home('attackers', 'top', topTypes.attackIPs, 8, 7, 4, 4),
  home('day', 'day', seriesTypes.traffic, 0, 11, 6, 3),
  home('month', 'month', seriesTypes.traffic, 6, 11, 6, 3),
  home('qps', 'qps', seriesTypes.rate, 0, 14, 12, 3),
]
