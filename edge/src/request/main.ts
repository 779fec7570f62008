/** What nginx.conf calls, one function a phase. */

import { control as runControl } from './control/control.ts'
import { balance, type OriginContext, towardOrigin } from './domains/toward-origin.ts'
import { takeContext } from './nginx/context.ts'
import { type NodeFacts, setNode } from './nginx/node.ts'
import { protectedRun } from './nginx/protect.ts'
import { respondFailure } from './nginx/respond.ts'
import { prepareServe, type RequestContext, serve } from './nginx/serve.ts'
import { loadFeed } from './sites/load.ts'

/** Before nginx listens. */
export function init(facts: NodeFacts): void {
  setNode(facts)
  prepareServe()
  loadFeed()
}

export function rewrite(): void {
  protectedRun('serve', serve, respondFailure)
}

export function direct(): void {
  protectedRun('direct', directNow, respondFailure)
}

function directNow(): void {
  takeContext()
  const context = ngx.ctx as RequestContext & { origin?: OriginContext }
  context.origin = towardOrigin(context.entry, context.request.address)
  if (context.origin === undefined) ngx.exit(502)
}

export function balancer(): void {
  const { origin } = ngx.ctx as { origin?: OriginContext }
  if (origin !== undefined) balance(origin)
}

export function control(): void {
  protectedRun('control', runControl, respondFailure)
}

export function initWorker(): void {
  ngx.shared.node!.set(`worker${ngx.worker.id()}`, ngx.worker.pid())
}

export function exitWorker(): void {}
export function log(): void {}
export function cachedHeaders(): void {}
export function directHeaders(): void {}
export function fetch(): void {}
export function fetchHeaders(): void {}
export function unreachable(): void {
  ngx.exit(502)
}
