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
import { takeRuleSet, takeShadow } from './zone-rule-set.ts'

const dict = ngx.shared.node!
const key = 'configuration'

let seen: string | undefined
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
  takeRuleSet(given.wafRules, given.wafResponses)
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
  const [isTaken, problem] = pcall(() => {
    takeRuleSet(current.wafRules, current.wafResponses)
    takeShadow(current.wafShadow)
  })
  if (!isTaken) ngx.log(ngx.ERR, 'a rule set of the zone is not taken: ', messageOf(problem))
  const [isFound, wrong] = pcall(() => takeAddressData(current))
  if (!isFound) ngx.log(ngx.ERR, 'the address data of the operator is not taken: ', messageOf(wrong))
}

/** Has this worker look up countries and networks in other tables. Throws where one cannot be had. */
function takeAddressData({ addressData }: LiveConfiguration): void {
  takeCountries(addressData?.countries)
  takeNetworks(addressData?.networks)
}

/** What holds now. Valid after `hostEntry`. */
export function configuration(): LiveConfiguration {
  return current
}
