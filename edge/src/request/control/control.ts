/** The calls that the agent can make over the unix socket (contract/src/edge/node-disk.ts). */
import type { BanChange } from '@breakwater/contract/edge/bans.ts'
import type { FeedEntry } from '@breakwater/contract/edge/node-api.ts'
import type { ApplyRequest, RuleSetQuestion } from '@breakwater/contract/edge/node-disk.ts'
import type { NginxTalliesQuestion } from '@breakwater/contract/edge/tallies.ts'
import type { BotVerdict } from '@breakwater/contract/edge/verified-bots.ts'
import { decode, encode } from 'cjson.safe'
import { exchangeBots } from '../clients/verified-bots.ts'
import type { Purge } from '../delivery/purges.ts'
import { applyPurges } from '../delivery/tags.ts'
import { originStates } from '../domains/health.ts'
import * as siteIndex from '../memory/site-index.ts'
import { applyBans } from '../nginx/bans.ts'
import { noteIdentity } from '../nginx/node.ts'
import { messageOf } from '../nginx/raise.ts'
import { renewReputation } from '../nginx/reputation.ts'
import { pauses } from '../nginx/turns.ts'
import { runChecks } from '../phases/origin-checks.ts'
import { checkEntry, putEntry, type Refused } from '../sites/apply.ts'
import { applyConfiguration } from '../sites/configuration.ts'
import { backtest, endBacktest } from './backtest.ts'
import { explain } from './explain.ts'
import { simulateCache } from './simulate-cache.ts'
import { state } from './state.ts'
import { exchangeTallies } from './tallies.ts'
import { hitsOfRuleSet, tryRuleSet } from './try-rule-set.ts'

type Handler = (this: void, body: unknown) => unknown

const handlers: Record<string, Handler> = {
  'POST /apply': (body) => {
    const { entries, identity } = body as ApplyRequest
    if (identity !== undefined) noteIdentity(identity)
    return apply(entries)
  },
  'POST /purge': (body) => {
    applyPurges((body as { purges: Purge[] }).purges)
    return {}
  },
  'POST /bans': (body) => {
    applyBans((body as { bans: BanChange[] }).bans)
    return {}
  },
  'POST /reputation': (body) => {
    renewReputation((body as { hash: string }).hash)
    return {}
  },
  'POST /bots': (body) => {
    const { verdicts, most } = body as { verdicts: BotVerdict[]; most: number }
    return { claimed: exchangeBots(verdicts, most) }
  },
  'POST /tallies': (body) => exchangeTallies(body as NginxTalliesQuestion),
  'POST /rule-set': (body) => tryRuleSet(body as RuleSetQuestion),
  'POST /rule-set/hits': (body) => hitsOfRuleSet(body as RuleSetQuestion),
  'POST /explain': (body) => explain(body as Parameters<typeof explain>[0]),
  'POST /cache': (body) => simulateCache(body as Parameters<typeof simulateCache>[0]),
  'POST /backtest': (body) => backtest(body as Parameters<typeof backtest>[0]),
  'POST /backtest/end': (body) => endBacktest(body as { run: string }),
  'POST /sampling': (body) => {
    siteIndex.setSampling((body as { weight: number }).weight)
    return {}
  },
  'POST /configuration': (body) => {
    applyConfiguration(body as Parameters<typeof applyConfiguration>[0])
    return {}
  },
  'GET /state': () => state(),
  'GET /origins': () => {
    const origins = originStates()
    // An empty table would be encoded as an object.
    return origins.length === 0 ? '{"origins":[]}' : { origins }
  },
  'POST /checks': () => {
    runChecks()
    return {}
  },
}

const nothingRefused = '{"refused":[]}'

function apply(entries: FeedEntry[]): unknown {
  const refused: Refused[] = []
  const checked: FeedEntry[] = []
  const refuse = ({ site, revision }: FeedEntry, reason: string) => refused.push({ site, revision, reason })
  // A page may contain a thousand sites, each with hundreds of expressions to compile.
  const pause = pauses()
  for (const entry of entries) {
    const reason = checkEntry(entry)
    if (reason === undefined) checked.push(entry)
    else refuse(entry, reason)
    pause()
  }
  // Without a pause: a host that moves between sites must not be missing in between.
  for (const entry of checked) {
    const reason = putEntry(entry)
    if (reason !== undefined) refuse(entry, reason)
  }
  siteIndex.bumpGeneration()
  // An empty table would be encoded as an object.
  return refused.length === 0 ? nothingRefused : { refused }
}

/** The body, from memory or from the file that nginx wrote a long one to. */
function readBody(): string {
  ngx.req.read_body()
  const data = ngx.req.get_body_data()
  if (data !== undefined) return data
  const path = ngx.req.get_body_file()
  if (path === undefined) return ''
  const [file] = io.open(path, 'rb')
  const content = file?.read('*a') as string | undefined
  file?.close()
  return content ?? ''
}

export function control(): void {
  ngx.header['Content-Type'] = 'application/json'
  const handler = handlers[`${ngx.req.get_method()} ${ngx.var.uri}`]
  if (handler === undefined) {
    answer(404, { error: 'no such call' })
    return
  }
  let body: unknown = {}
  if (ngx.req.get_method() !== 'GET') {
    const [value, problem] = decode(readBody())
    if (type(value) !== 'table') {
      answer(400, { error: problem ?? 'no object' })
      return
    }
    body = value
  }
  const [ok, value] = pcall(() => handler(body))
  if (ok) answer(200, value)
  else answer(400, { error: messageOf(value) })
}

function answer(status: number, value: unknown): void {
  ngx.status = status
  ngx.print(typeof value === 'string' ? value : encode(value))
}
