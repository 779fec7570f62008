/**
 * Inspects long requests for the WAF in a thread (`threads/inspect.ts`), so that the worker serves others meanwhile: those
 * of sites where an inspection has recently taken long, as a thread costs a quarter more.
 */
import type { CompiledRuleSet, RuleSetFiles } from '../firewall/waf/sieving.ts'
import type { Exception, Inspected, Inspecting, Sent, WafRuleSet } from '../lib/waf-tools.ts'
import { newPlaces } from '../nginx/places.ts'
import type * as inspection from '../threads/inspection.ts'
import { beginRules } from './rule-cpu-time.ts'
import { allowanceBeside, isCostly, noteCost, spentBeside, spentOnShadow } from './waf-cpu-time.ts'

const [pool, module] = ['inspections', 'edge.src.request.threads.inspect']

/** One runs, as the pool has one thread (edge/src/nginx/render.ts). */
const places = newPlaces({ running: 1, waiting: 64, waitingOfSite: 16, patience: 1 })

/** By path of the rules: whether threads have loaded them. */
const prepared: Record<string, 'begun' | 'ready' | 'failed' | undefined> = {}

/** Has a thread load a rule set. Requests are inspected in the worker until it has. */
function prepare(files: RuleSetFiles): void {
  prepared[files.rules] = 'begun'
  ngx.timer.at(0, (isEnding) => {
    if (isEnding === true) return
    const [isRun, problem] = ngx.run_worker_thread(pool, module, 'prepare', files)
    prepared[files.rules] = isRun ? 'ready' : 'failed'
    if (!isRun) ngx.log(ngx.ERR, 'no thread can inspect requests: ', tostring(problem))
  })
}

/** When too many requests of the site wait: it has no CPU time left. */
const noTime: Inspected = { matches: [], excess: 'time', applied: [], left: [], taken: 0, asideTaken: 0 }

/** What a thread can be given: no functions, and nothing compiled. */
const plain = ({ id, rule, action, target }: Exception): Exception => ({ id, rule, action, target })

/**
 * Inspects in a thread, charged to the site's CPU budget, or to the shadow's without `site`. Returns undefined if the
 * site's inspections are cheap, if no thread has loaded the rule set yet, or if other sites or a busy machine leave no
 * time.
 */
export function inspectBeside(
  site: number | undefined,
  ruleSet: WafRuleSet,
  { method, target, protocol, headerNames, headerValues, hasBody, body }: Sent,
  how: Inspecting,
): Inspected | undefined {
  const { files } = ruleSet as unknown as CompiledRuleSet
  const ofSite = tonumber(ngx.var.bw_site) ?? 0
  if (files === undefined || !isCostly(ofSite)) return undefined
  if (prepared[files.rules] === undefined) prepare(files)
  if (prepared[files.rules] !== 'ready') return undefined
  const place = places.take(ofSite)
  if (place === 'ofSite') return noTime
  if (place === 'busy') return undefined
  const seconds = site === undefined ? how.seconds : allowanceBeside(site, how.seconds)
  const sent = { method, target, protocol, headerNames, headerValues, hasBody, body }
  const [isRun, found] = ngx.run_worker_thread(pool, module, 'inspect', files, sent, {
    ...{ paranoia: how.paranoia, exceptions: how.exceptions.map((one) => plain(one)) },
    ...{ seconds, asideSeconds: how.asideSeconds },
  })
  places.leave(ofSite)
  // Other requests ran on this worker in the meantime.
  beginRules(ofSite)
  if (!isRun) {
    ngx.log(ngx.ERR, 'a thread could not inspect a request: ', tostring(found))
    return undefined
  }
  const inspected = found as ReturnType<typeof inspection.inspect>
  noteCost(ofSite, inspected.taken)
  if (site === undefined) spentOnShadow(inspected.taken)
  else if (!inspected.isWarmUp) spentBeside(site, inspected.taken)
  return inspected
}
