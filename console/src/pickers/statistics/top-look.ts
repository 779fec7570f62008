/** What each top list is called and which filter its names are. */
import { topTypes } from '@breakwater/contract/statistics/statistics.ts'
import type { PlainKey } from '../../platform/phrases.ts'

export type TopName = keyof typeof topTypes

/** The field of the log that a name of the list is; without it a row leads nowhere. */
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

/** The lists whose names are codes of a field of the log, which have words. */
const worded: Partial<Record<TopName, string>> = { attackMethods: 'guard', cache: 'cache', method: 'method' }

export const topLook = (name: TopName) => ({
  type: topTypes[name],
  title: `top.${name}` as PlainKey<'statistics'>,
  field: fields[name],
  worded: worded[name],
  isCountry: fields[name] === 'country',
})

/** The edge's data of places has countries only: these lists wait for one that has cities. */
export const isWithoutData = (name: TopName): boolean => name === 'city' || name === 'blockCity'
