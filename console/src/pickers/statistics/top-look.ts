/** The title of each top list, and the filter that its names belong to. */
import { topTypes } from '@breakwater/contract/statistics/statistics.ts'
import type { PlainKey } from '../../platform/phrases.ts'

export type TopName = keyof typeof topTypes

/** The log field that the names of a list belong to; without one, rows have no links. */
const fields: Partial<Record<TopName, string>> = {
  country: 'country',
  referer: 'referer',
  blacklist: 'ip',
  url: 'hostPath',
  userAgent: 'userAgent',
  blockCountry: 'country',
  attackDomains: 'host',
  attackIPs: 'ip',
  method: 'method',
  httpVersion: 'httpVersion',
  scheme: 'scheme',
  status: 'status',
  host: 'host',
  cache: 'cache',
  address: 'ip',
  network: 'asn',
}

/** Lists whose names are codes of a log field, which have texts. */
const worded: Partial<Record<TopName, string>> = { attackMethods: 'guard', cache: 'cache', method: 'method' }

export const topLook = (name: TopName) => ({
  type: topTypes[name],
  title: `top.${name}` as PlainKey<'statistics'>,
  field: fields[name],
  worded: worded[name],
  isCountry: fields[name] === 'country',
})

/** The edge's geolocation data has countries only: these lists wait for data with cities. */
export const isWithoutData = (name: TopName): boolean => name === 'city' || name === 'blockCity'
