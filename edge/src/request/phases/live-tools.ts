/** The tools that guards may use, for the current request. */
import { formDecoded } from '../bytes/url.ts'
import { verifiedBot } from '../clients/verified-bots.ts'
import { longText } from '../lib/cpu-budget.ts'
import type { Tools } from '../lib/guard.ts'
import type { Turn } from '../lib/waf-tools.ts'
import { isListed } from '../nginx/address-list.ts'
import { isBanned, noteSolved } from '../nginx/bans.ts'
import { countLive, takeLive } from '../nginx/buckets.ts'
import { countryOf } from '../nginx/countries.ts'
import { fileSize, readFile } from '../nginx/files.ts'
import { headerCount, repeatedNow } from '../nginx/header-lines.ts'
import { expectBody } from '../nginx/live-requests.ts'
import { asnOf } from '../nginx/networks.ts'
import { cannotMatch, matchesRegex, mayMatchRegex, secondsTried } from '../nginx/regex.ts'
import { reputationOf } from '../nginx/reputation.ts'
import { isUnderAttack } from '../nginx/tallies.ts'
import { wafMatching } from '../nginx/waf-matching.ts'
import { drawnShadow, zoneRules } from '../sites/zone-rule-set.ts'
import { answerOf, hasPassed } from './challenge.ts'
import type { RequestContext } from './context.ts'
import { inspectBeside } from './inspect-beside.ts'
import { beginRules, chargeTime, requireTimeFor } from './rule-cpu-time.ts'
import { hasTimeForShadow, spentOnShadow, spentOnWaf, wafAllowance } from './waf-cpu-time.ts'
import { hasBody, wafFacts } from './waf-facts.ts'

/**
 * Reads the body into memory, up to `max` bytes. nginx keeps a body that exceeds its buffer in a file, which remains
 * for the origin. The messages of a gRPC call are not read: its client may wait for an answer before it sends the next.
 */
function body(max: number): string | undefined {
  if ((ngx.ctx as Partial<RequestContext>).isCall === true) return undefined
  const length = tonumber(ngx.var.http_content_length)
  if (length !== undefined && length > max) return undefined
  expectBody()
  ngx.req.read_body()
  // Other requests ran on this worker in the meantime.
  beginRules(tonumber(ngx.var.bw_site) ?? 0)
  const data = ngx.req.get_body_data()
  if (data !== undefined) return data.length > max ? undefined : data
  const file = ngx.req.get_body_file()
  if (file === undefined) return ''
  return fileSize(file) > max ? undefined : readFile(file)
}

/** After other requests had their turn, the timing of this site's rules begins anew. */
function isOverNow(turn: Turn): boolean {
  const { ofOthers } = turn
  const isOver = wafMatching.isOver(turn)
  if (turn.ofOthers !== ofOthers) beginRules(tonumber(ngx.var.bw_site) ?? 0)
  return isOver
}

/** nginx's variable names by header name: guards ask for only a few. */
const variables: Record<string, string> = {}

function variableOf(name: string): string {
  variables[name] = `http_${name.replaceAll('-', '_')}`
  return variables[name]!
}

const headerNow = (name: string): string | undefined =>
  ngx.var[variables[name] ?? variableOf(name)] as string | undefined

export const liveTools: Tools = {
  matches(regex, text) {
    if (cannotMatch(regex, text)) return false
    requireTimeFor(text.length)
    const found = matchesRegex(regex, text)
    chargeTime(secondsTried(), text.length)
    return found
  },
  mayMatch(regex, text) {
    // Many expressions at once on a long text could take seconds before any time check, so they are tried one by one.
    if (text.length > longText) return true
    requireTimeFor(text.length)
    const may = mayMatchRegex(regex, text)
    chargeTime(secondsTried(), text.length)
    return may
  },
  listed: isListed,
  formDecoded,
  header: headerNow,
  repeated: repeatedNow,
  headerCount,
  take: takeLive,
  count: countLive,
  isBanned,
  isUnderAttack,
  solved: noteSolved,
  asn: asnOf,
  country: countryOf,
  reputation: reputationOf,
  bot: verifiedBot,
  scheme: () => ngx.var.scheme as string,
  hasPassed,
  hasShownKey() {
    const context = ngx.ctx as RequestContext
    return context.isRightlySigned === true || context.showsKey?.(context) === true
  },
  answer: answerOf,
  body,
  waf: {
    ...wafMatching,
    isOver: isOverNow,
    zoneRules,
    facts: () => wafFacts(),
    hasBody,
    allowance: wafAllowance,
    spent: spentOnWaf,
    inspectBeside,
    shadow(max) {
      const drawn = drawnShadow()
      return drawn !== undefined && hasTimeForShadow(max) ? drawn : undefined
    },
    spentOnShadow,
  },
}

/**
 * The header that the guards read last: the rules of a guard mostly ask for the same one. For the request being guarded
 * only.
 */
let asked = ''
let said: string | undefined
let askedRepeated = ''
let saidRepeated: readonly string[] | undefined

/** Call before the guards run on a request. */
export function beginGuards(site: number): void {
  asked = ''
  askedRepeated = ''
  beginRules(site)
}

/** For the guards only, which decide on one request without yielding: nothing else may read headers through these. */
export const guardTools: Tools = {
  ...liveTools,
  header(name) {
    if (name === asked) return said
    said = headerNow(name)
    asked = name
    return said
  },
  repeated(name) {
    if (name === askedRepeated) return saidRepeated
    saidRepeated = repeatedNow(name)
    askedRepeated = name
    return saidRepeated
  },
}
