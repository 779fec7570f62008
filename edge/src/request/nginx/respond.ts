/** The only module that answers. What it was given is what is logged, so the statistics and the refusal cannot disagree. */
import type { EdgeRequest, Verdict } from '../guard.ts'

/** Writes a verdict into the variables that the log row and the counters read. */
export function note(verdict: Verdict, action: string): void {
  const vars = ngx.var
  vars.bw_cause = verdict.cause
  vars.bw_guard = verdict.guard
  vars.bw_rule = verdict.rule
  vars.bw_action = action
}

/** Answers a request that a guard did not let through. */
export function respond(_request: EdgeRequest, verdict: Verdict): void {
  note(verdict, verdict.action)
  ngx.var.bw_route = 'refused'
  ngx.status = verdict.status
  ngx.header['Cache-Control'] = 'no-store'
  ngx.say('refused')
  ngx.exit(verdict.status)
}

/** Where our own code failed: the request is refused, for a guard that cannot decide must not let it pass. */
export function respondFailure(): void {
  ngx.var.bw_route = 'refused'
  ngx.exit(500)
}
