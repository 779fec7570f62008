/** What nginx.conf calls, one function a phase. */

import { get_client_hello_server_name } from 'ngx.ssl.clienthello'
import { control as runControl } from './control/control.ts'
import { balance, type OriginContext, settle } from './domains/toward-origin.ts'
import { flush } from './logs/counters.ts'
import { logNow } from './logs/log-phase.ts'
import { noteConfiguration, noteStart } from './logs/vitals.ts'
import { cachedHeadersNow, fetchFailedNow, fetchHeadersNow, fetchNow } from './nginx/cache-phases.ts'
import { randomBytes } from './nginx/crypto.ts'
import { directHeadersNow, directNow } from './nginx/direct.ts'
import { lookForRoom } from './nginx/disk-room.ts'
import { type NodeFacts, setNode } from './nginx/node.ts'
import { protectedRun } from './nginx/protect.ts'
import { answer, respondFailure } from './nginx/respond.ts'
import { prepareServe, serve } from './nginx/serve.ts'
import { hostEntry } from './sites/current.ts'
import { loadFeed } from './sites/load.ts'

/** Before nginx listens. */
export function init(facts: NodeFacts): void {
  // A phase is compiled as one piece, which is longer than what LuaJIT thinks usual; each `return f()` counts as a loop's turn.
  jit.opt.start('maxrecord=16000', 'maxirconst=4000', 'maxsnap=2000', 'loopunroll=60')
  setNode(facts)
  noteConfiguration()
  prepareServe()
  loadFeed()
}

export function rewrite(): void {
  protectedRun('serve', serve, respondFailure)
}

export function direct(): void {
  protectedRun('direct', directNow, respondFailure)
}

export function directHeaders(): void {
  protectedRun('direct headers', directHeadersNow)
}

export function cachedHeaders(): void {
  protectedRun('cached headers', cachedHeadersNow)
}

export function fetch(): void {
  protectedRun('fetch', fetchNow, respondFailure)
}

/** The inner hop is counted by the outer one; only its origin is let go here. */
export function fetchLog(): void {
  protectedRun('fetch log', () => {
    const { origin } = ngx.ctx as { origin?: OriginContext }
    if (origin !== undefined) settle(origin)
  })
}

/** Where the decision fails nothing is kept. */
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

/** A handshake that names a host of nobody's ends there: no certificate of ours answers for it. */
export function clientHello(): void {
  protectedRun('client hello', () => {
    const [name] = get_client_hello_server_name()
    if (name !== undefined && hostEntry(name.toLowerCase()) === undefined) ngx.exit(ngx.ERROR)
  })
}

export function control(): void {
  protectedRun('control', runControl, respondFailure)
}

export function initWorker(): void {
  noteStart()
  ngx.shared.node!.set(`worker${ngx.worker.id()}`, ngx.worker.pid())
  // Each worker its own seed: without one all would sample, and order, alike.
  const [a, b, c, d] = string.byte(randomBytes(4), 1, 4)
  math.randomseed(((a! * 256 + b!) * 256 + c!) * 256 + d!)
  ngx.timer.every(1, () => protectedRun('counters', flush))
  protectedRun('disk room', lookForRoom)
  ngx.timer.every(1, () => protectedRun('disk room', lookForRoom))
}

/** The last thing a worker does, after its last connection. */
export function exitWorker(): void {
  protectedRun('last counters', flush)
}

export function log(): void {
  protectedRun('log', logNow)
}
/** The same on the inner hop. */
export function fetchUnreachable(): void {
  protectedRun('fetch unreachable', () => fetchFailedNow(unreachable), respondFailure)
}

/** Where no origin answered. */
export function unreachable(): void {
  answer(ngx.status === 504 ? 504 : 502)
}
