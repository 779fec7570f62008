/** The functions that nginx.conf calls, one per phase. */

import { limitConnections, prepareConnectionLimit } from './clients/connection-limit.ts'
import { prepareFailedHandshakes } from './clients/failed-handshakes.ts'
import { checkSlowClients } from './clients/slow-clients.ts'
import { control as runControl } from './control/control.ts'
import { flush } from './logs/counters.ts'
import { noteConfiguration, noteError, noteStart } from './memory/vitals.ts'
import { loadCountries } from './nginx/countries.ts'
import { randomBytes } from './nginx/crypto.ts'
import { checkDiskRoom } from './nginx/disk-room.ts'
import { tuneCollector } from './nginx/garbage.ts'
import { endRequest } from './nginx/live-requests.ts'
import { loadNetworks } from './nginx/networks.ts'
import { type NodeFacts, setNode } from './nginx/node.ts'
import { protectedRun } from './nginx/protect.ts'
import { recordLostTraces, watchRecordings } from './nginx/recording.ts'
import { flushTallies } from './nginx/tallies.ts'
import {
  cachedHeadersNow,
  fetchAtLevelNow,
  fetchBodyNow,
  fetchEndNow,
  fetchFailedNow,
  fetchHeadersNow,
  fetchNow,
} from './phases/cache-phases.ts'
import { takeContext } from './phases/context.ts'
import { callHeadersNow, callNow } from './phases/grpc-proxy.ts'
import { leakNow } from './phases/leak.ts'
import { logNow } from './phases/log-phase.ts'
import { beginTurn } from './phases/origin-checks.ts'
import { relayNow } from './phases/relay.ts'
import { answer, respondFailure } from './phases/respond.ts'
import { againNow, prepareServe, serve } from './phases/serve.ts'
import { readShared, removeLeftFetches } from './phases/shared-fetch.ts'
import { certificateNow, clientHelloNow } from './phases/tls.ts'
import { balance, type OriginContext } from './phases/toward-origin.ts'
import { uncachedBodyNow, uncachedHeadersNow, uncachedNow } from './phases/uncached-proxy.ts'
import { fetchUnreachableNow, unreachableNow } from './phases/unreachable.ts'
import { beginAtWork, loadConfiguration, noteAtWork } from './sites/configuration.ts'
import { loadFeed } from './sites/load.ts'
import { loadPrefilters } from './sites/prefilters.ts'
import { lookAgain } from './sites/site-cache.ts'

/** Seconds between two checks for slow clients. */
const slowTurn = 0.1

/** Seconds between two checks for prefilters that the agent has compiled. */
const prefilterTurn = 3

/** Runs before nginx listens. */
export function init(facts: NodeFacts): void {
  // A phase is compiled as one trace, longer than LuaJIT's defaults allow. Each `return f()` counts as a loop
  // iteration.
  jit.opt.start('maxrecord=16000', 'maxirconst=4000', 'maxsnap=2000', 'loopunroll=60')
  setNode(facts)
  loadCountries()
  loadNetworks()
  if (noteConfiguration() === 1) removeLeftFetches()
  prepareServe()
  loadConfiguration()
  loadFeed()
}

/**
 * Not run through pcall as other phases are: LuaJIT does not compile a branch of a phase that returns through pcall. If
 * it throws, nginx answers 500, which is `failed`.
 */
export function rewrite(): void {
  serve()
}

/** A guard that cannot decide must not let a request pass. */
export function failed(): void {
  noteError()
  respondFailure()
}

export function crowded(): void {
  protectedRun('crowded', takeContext, respondFailure)
}

/** Answers in place of a response that the WAF refused. */
export function leak(): void {
  protectedRun('leak', leakNow, respondFailure)
}

/**
 * An object served in slices. The context is kept for the next jump: to a fetch of the whole object, or to the error
 * page if the origin is unreachable.
 */
export function sliced(): void {
  protectedRun('sliced', fetchAtLevelNow, respondFailure)
}

export function uncached(): void {
  protectedRun('uncached', uncachedNow, respondFailure)
}

/** A gRPC call. */
export function call(): void {
  protectedRun('call', callNow, respondFailure)
}

export function callHeaders(): void {
  protectedRun('call headers', callHeadersNow)
}

export function uncachedHeaders(): void {
  protectedRun('uncached headers', uncachedHeadersNow)
}

export function cachedHeaders(): void {
  protectedRun('cached headers', cachedHeadersNow)
}

export function fetch(): void {
  protectedRun('fetch', fetchNow, respondFailure)
}

/** The inner hop in a location with another compression level. */
export function fetchAtLevel(): void {
  protectedRun('fetch', fetchAtLevelNow, respondFailure)
}

export function fetchBody(): void {
  protectedRun('fetch body', fetchBodyNow)
}

export function fetchLog(): void {
  protectedRun('fetch log', fetchEndNow)
}

/** Reads an origin's response where nginx itself cannot. */
export function relay(): void {
  protectedRun('relay', relayNow)
}

/** Repeats a fetch through the relay. */
export function again(): void {
  protectedRun('again', againNow, respondFailure)
}

export function uncachedBody(): void {
  protectedRun('uncached body', uncachedBodyNow)
}

/** Answers with the body of a fetch that another request on the inner hop makes. */
export function shared(): void {
  protectedRun('shared fetch', readShared, respondFailure)
}

/** If the decision fails, nothing is stored. */
export function fetchHeaders(): void {
  protectedRun('fetch headers', fetchHeadersNow, () => {
    ngx.header['X-Accel-Expires'] = '0'
  })
}

export function balancer(): void {
  protectedRun('balancer', () => {
    const { origin } = ngx.ctx as { origin?: OriginContext }
    if (origin !== undefined) balance(origin)
  })
}

/** If it fails, the handshake ends: no session may be created that is not bound to a site. */
export function clientHello(): void {
  protectedRun('client hello', clientHelloNow, () => ngx.exit(ngx.ERROR))
}

/** If it fails, the handshake ends: the listener's own certificate is not trusted by anyone. */
export function certificate(): void {
  protectedRun('certificate', certificateNow, () => ngx.exit(ngx.ERROR))
}

export function control(): void {
  protectedRun('control', runControl, respondFailure)
}

export function initWorker(): void {
  watchRecordings()
  ngx.timer.every(1, () => protectedRun('recordings', recordLostTraces))
  noteStart()
  ngx.shared.node!.set(`worker${ngx.worker.id()}`, ngx.worker.pid())
  // Each worker needs its own seed; otherwise all workers would sample and order alike.
  const [a, b, c, d] = string.byte(randomBytes(4), 1, 4)
  math.randomseed(((a! * 256 + b!) * 256 + c!) * 256 + d!)
  ngx.timer.every(1, () => protectedRun('counters', flush))
  ngx.timer.every(1, () => protectedRun('tallies', flushTallies))
  ngx.timer.every(1, () => protectedRun('collector', tuneCollector))
  prepareConnectionLimit()
  prepareFailedHandshakes()
  ngx.timer.every(1, () => protectedRun('connection limit', limitConnections))
  ngx.timer.every(slowTurn, () => protectedRun('slow clients', checkSlowClients))
  if (ngx.worker.id() === 0) ngx.timer.every(1, () => protectedRun('origin checks', beginTurn))
  beginAtWork()
  ngx.timer.every(prefilterTurn, () => protectedRun('prefilters', prepareRuleSets))
  protectedRun('disk room', checkDiskRoom)
  ngx.timer.every(1, () => protectedRun('disk room', checkDiskRoom))
}

/** Lets an idle worker pick up a change of the zone too, and wait for its prefilters. */
function prepareRuleSets(): void {
  lookAgain()
  loadPrefilters()
  noteAtWork()
}

/** Runs last in a worker, after its last connection. */
export function exitWorker(): void {
  protectedRun('last counters', flush)
}

let isLogging = false

/** Not run through pcall either: nothing waits for it to end, and nginx logs what it throws. */
export function log(): void {
  if (isLogging) noteError()
  isLogging = true
  endRequest()
  logNow()
  isLogging = false
}
/** The same as `unreachable`, on the inner hop. */
export function fetchUnreachable(): void {
  protectedRun('fetch unreachable', () => fetchFailedNow(fetchUnreachableNow), respondFailure)
}

/** Shows a site's own page in place of its origin's. */
export function intercepted(status: number): void {
  protectedRun('intercepted', () => answer(status), respondFailure)
}

/** Runs when no origin answered. */
export function unreachable(): void {
  protectedRun('unreachable', unreachableNow, respondFailure)
}
