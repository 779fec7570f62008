/**
 * Attaches prefilters to rule sets as soon as the agent has compiled them. Until then, and if the library is not
 * installed, every rule runs its expression.
 */
import type { NginxState } from '@breakwater/contract/edge/node-disk.ts'
import type { WafRulesPart } from '@breakwater/contract/edge/waf-rules.ts'
import type { CompiledRuleSet } from '../firewall/waf/sieving.ts'
import type { Prefilter } from '../lib/waf-tools.ts'
import { readFile } from '../nginx/files.ts'
import { hasHyperscan } from '../nginx/hyperscan.ts'
import { node } from '../nginx/node.ts'
import { messageOf } from '../nginx/raise.ts'
import { loadImage } from './load-prefilter.ts'
import { imageName } from './prefilter-image.ts'

type Waiting = { hash: string; path: string; name: string; ruleSet: CompiledRuleSet }

let waiting: Waiting[] = []
/** Seconds for which a waiting worker's request is visible; it is renewed while the worker waits. */
const toldFor = 15
/** One key per worker. */
const keyPrefix = 'prefilter '
const isMissing = 'missing'

function tell(what: string | undefined): void {
  ngx.shared.node!.set(
    `${keyPrefix}${ngx.worker.id() ?? ''}`,
    what,
    what === undefined || what === isMissing ? 0 : toldFor,
  )
}

/** A rule set that was just compiled from the file at `path`. */
type New = { hash: string; path: string; part: WafRulesPart; ruleSet: CompiledRuleSet }

/** Loads the databases of a new rule set, or waits for them. */
export function attachPrefilter({ hash, path, part, ruleSet }: New): void {
  if (!hasHyperscan()) {
    ruleSet.files = { rules: path }
    tell(isMissing)
    return
  }
  waiting.push({ hash, path, name: imageName(part.rules), ruleSet })
  loadPrefilters()
}

/** Tries again to load those that were not available yet. */
export function loadPrefilters(): void {
  if (waiting.length === 0) return
  tell(undefined)
  waiting = waiting.filter(({ hash, path, name, ruleSet }) => {
    const file = `${node().folder}/prefilters/${name}`
    const image = readFile(file)
    const [isLoaded, found] = image === undefined ? [false, undefined] : pcall(() => loadImage(image))
    if (isLoaded) {
      ruleSet.prefilter = found as Prefilter
      ruleSet.files = { rules: path, prefilter: file }
      return false
    }
    if (image !== undefined) ngx.log(ngx.ERR, 'the prefilter of a rule set: ', messageOf(found))
    tell(`${hash} ${name}`)
    return true
  })
}

/** What the agent should compile, or that the library is missing. Returns undefined if no worker waits. */
export function prefilterState(): NginxState['prefilter'] {
  for (const key of ngx.shared.node!.get_keys(0)) {
    if (!key.startsWith(keyPrefix)) continue
    const [told] = ngx.shared.node!.get(key)
    if (typeof told !== 'string') continue
    const [ruleSet, name] = told.split(' ')
    return told === isMissing ? { isInstalled: false } : { isInstalled: true, ruleSet: ruleSet!, name: name! }
  }
  return undefined
}
