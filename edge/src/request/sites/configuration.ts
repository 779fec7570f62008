/**
 * The operator's settings for this node that nginx applies without a reload (contract: LiveConfiguration): read from
 * disk when nginx starts, and sent by the agent afterwards. Each worker re-reads them after any change.
 */
import type { LiveConfiguration } from '@breakwater/contract/edge/node-configuration.ts'
import { decode, encode } from 'cjson.safe'
import { bumpGeneration } from '../memory/site-index.ts'
import { takeCountries } from '../nginx/countries.ts'
import { readFile } from '../nginx/files.ts'
import { takeNetworks } from '../nginx/networks.ts'
import { node } from '../nginx/node.ts'
import { messageOf } from '../nginx/raise.ts'
import { isAtWork, takeRuleSet, takeShadow } from './zone-rule-set.ts'

const dict = ngx.shared.node!
const key = 'configuration'

let seen: string | undefined
/** Whether the current configuration's rule sets could be loaded. */
let isTaken = true
let current: LiveConfiguration = { revision: 0, forceSSLRedirectCode: 301 }

/** Runs before nginx listens, at its start and at each reload. */
export function loadConfiguration(): void {
  const text = readFile(`${node().folder}/configuration.json`)
  if (text === undefined) return
  const [value] = decode(text)
  if (type(value) === 'table') dict.set(key, text)
  else ngx.log(ngx.ERR, 'configuration.json is unreadable; the defaults hold')
}

/**
 * Applies a new configuration: every worker uses it from its next request. Throws if its rule set does not compile, or
 * its address data is missing.
 */
export function applyConfiguration(given: LiveConfiguration): void {
  takeRuleSet(given)
  takeShadow(given.wafShadow)
  takeAddressData(given)
  const text = encode(given)
  if (text === undefined) throw new Error('no configuration')
  dict.set(key, text)
  bumpGeneration()
}

/** Makes this worker re-read the configuration if it changed. */
export function refreshConfiguration(): void {
  const [text] = dict.get(key)
  if (text === undefined || text === seen) return
  seen = text as string
  const [value] = decode(seen)
  current = value as LiveConfiguration
  const [isDone, problem] = pcall(() => {
    takeRuleSet(current)
    takeShadow(current.wafShadow)
  })
  isTaken = isDone
  if (!isDone) ngx.log(ngx.ERR, 'a rule set of the zone is not taken: ', messageOf(problem))
  const [isFound, wrong] = pcall(() => takeAddressData(current))
  if (!isFound) ngx.log(ngx.ERR, 'the address data of the operator is not taken: ', messageOf(wrong))
}

/** Makes this worker use other country and network tables. Throws if one is not available. */
function takeAddressData({ addressData }: LiveConfiguration): void {
  takeCountries(addressData?.countries)
  takeNetworks(addressData?.networks)
}

const atWorkPrefix = 'at work '
let noted: number | undefined

/** A worker that starts has not applied any revision yet, whatever its predecessor with the same number had. */
export function beginAtWork(): void {
  dict.delete(`${atWorkPrefix}${ngx.worker.id() ?? ''}`)
}

/** Records the revision that this worker has fully applied: not the current one while a prefilter is missing. */
export function noteAtWork(): void {
  if (current.revision === noted || !isTaken || !isAtWork()) return
  noted = current.revision
  dict.set(`${atWorkPrefix}${ngx.worker.id() ?? ''}`, noted)
}

/** The lowest revision in use among all workers; 0 for the defaults, and as long as one worker has recorded none. */
export function revisionAtWork(): number {
  let least: number | undefined
  for (let id = 0; id < (ngx.worker.count() ?? 0); id++) {
    const [revision] = dict.get(`${atWorkPrefix}${id}`)
    if (typeof revision !== 'number') return 0
    if (least === undefined || revision < least) least = revision
  }
  return least ?? 0
}

/** The configuration in force. Valid after `hostEntry`. */
export function configuration(): LiveConfiguration {
  return current
}
