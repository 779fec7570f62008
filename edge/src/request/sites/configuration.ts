/**
 * What the operator set of this node that nginx takes without a reload (contract: LiveConfiguration): from disk when
 * nginx starts, and from the agent afterwards. Each worker reads it anew with the next change of anything.
 */
import type { LiveConfiguration } from '@breakwater/contract/edge/node-configuration.ts'
import { decode, encode } from 'cjson.safe'
import { bumpGeneration } from '../memory/site-index.ts'
import { takeCountries } from '../nginx/countries.ts'
import { readFile } from '../nginx/files.ts'
import { takeNetworks } from '../nginx/networks.ts'
import { node } from '../nginx/node.ts'
import { messageOf } from '../nginx/protect.ts'
import { isAtWork, takeRuleSet, takeShadow } from './zone-rule-set.ts'

const dict = ngx.shared.node!
const key = 'configuration'

let seen: string | undefined
/** Whether the rule sets of the current one could be read. */
let isTaken = true
let current: LiveConfiguration = { revision: 0, forceSSLRedirectCode: 301 }

/** Before nginx listens, at its start and at each reload. */
export function loadConfiguration(): void {
  const text = readFile(`${node().folder}/configuration.json`)
  if (text === undefined) return
  const [value] = decode(text)
  if (type(value) === 'table') dict.set(key, text)
  else ngx.log(ngx.ERR, 'configuration.json is unreadable; the defaults hold')
}

/** Puts another in force: every worker has it with its next request. Throws where its rule set does not compile, or its address data is missing. */
export function applyConfiguration(given: LiveConfiguration): void {
  takeRuleSet(given)
  takeShadow(given.wafShadow)
  takeAddressData(given)
  const text = encode(given)
  if (text === undefined) throw new Error('no configuration')
  dict.set(key, text)
  bumpGeneration()
}

/** Has this worker look again. */
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

/** Has this worker look up countries and networks in other tables. Throws where one cannot be had. */
function takeAddressData({ addressData }: LiveConfiguration): void {
  takeCountries(addressData?.countries)
  takeNetworks(addressData?.networks)
}

const atWorkPrefix = 'at work '
let noted: number | undefined

/** A worker that starts has none of it at work yet, whatever the one before it under its number had. */
export function beginAtWork(): void {
  dict.delete(`${atWorkPrefix}${ngx.worker.id() ?? ''}`)
}

/** Notes of this worker which revision it has wholly at work; one whose rule sets wait for their prefilters stays at the one before. */
export function noteAtWork(): void {
  if (current.revision === noted || !isTaken || !isAtWork()) return
  noted = current.revision
  dict.set(`${atWorkPrefix}${ngx.worker.id() ?? ''}`, noted)
}

/** The revision that all workers have at work, at least; 0 for the defaults, and while one of them has not looked yet. */
export function revisionAtWork(): number {
  let least: number | undefined
  for (let id = 0; id < (ngx.worker.count() ?? 0); id++) {
    const [revision] = dict.get(`${atWorkPrefix}${id}`)
    if (typeof revision !== 'number') return 0
    if (least === undefined || revision < least) least = revision
  }
  return least ?? 0
}

/** What holds now. Valid after `hostEntry`. */
export function configuration(): LiveConfiguration {
  return current
}
