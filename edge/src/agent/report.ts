/**
 * Reports this node's progress to the control plane: at once after a change, on average at most once a second, and with
 * health data every 5 s.
 */
import { type NodeHealth, type NodeReport, ReportReply } from '@breakwater/contract/edge/node-api.ts'
import { clockProblem } from './clock.ts'
import { type ControlPlane, Refused } from './control-plane.ts'
import { log, reasonOf } from './log.ts'
import { backoff, doorbell, pause } from './retry.ts'
import type { State } from './state.ts'

const EVERY_MS = 1000
/** The burst of reports without a pause: a change seldom has to wait because a report was just sent. */
const AT_ONCE = 2
const HEALTH_MS = 5000
const EXCEPTIONS_MAX = 1000

export type Reporter = {
  /** The watermark or an exception may have changed. */
  changed(): void
  run(signal: AbortSignal): Promise<void>
}

export function reporter(
  plane: ControlPlane,
  state: State,
  health: () => Promise<NodeHealth>,
  heard: (reply: ReportReply) => Promise<void>,
  /** A problem of this node that nothing else reports. */
  otherProblem: () => string | undefined,
): Reporter {
  const bell = doorbell()
  const waits = backoff(1000, 30_000)
  let told = ''
  let healthAt = 0
  /** When the whole burst is available again. */
  let fullAt = 0

  function current(): NodeReport {
    const exceptions = state.exceptions
      .slice(0, EXCEPTIONS_MAX)
      .map(({ site, revision, reason }) => ({ site, revision, reason }))
    const wrong = state.problem ?? clockProblem(plane.clockOffset()) ?? otherProblem()
    const problem = wrong === undefined ? {} : { problem: wrong.slice(0, 500) }
    return { epoch: Math.max(0, state.epoch), watermark: state.watermark, exceptions, ...problem }
  }

  async function tell() {
    const report = current()
    const text = JSON.stringify(report)
    const withHealth = Date.now() >= healthAt
    if (text === told && !withHealth) return
    fullAt = Math.max(fullAt, Date.now()) + EVERY_MS
    await heard(await plane.post('/report', withHealth ? { ...report, health: await health() } : report, ReportReply))
    told = text
    if (withHealth) healthAt = Date.now() + HEALTH_MS
  }

  return {
    changed() {
      if (JSON.stringify(current()) !== told) bell.ring()
    },
    async run(signal) {
      while (!signal.aborted) {
        try {
          await tell()
          waits.succeeded()
        } catch (error) {
          const asked = error instanceof Refused ? error.retryAfterMs : 0
          log.debug('cannot report', { reason: reasonOf(error) })
          await pause(EVERY_MS + asked + waits.failed(), signal)
        }
        await bell.wait(Math.max(0, healthAt - Date.now()), signal)
        await pause(Math.max(0, fullAt - (AT_ONCE - 1) * EVERY_MS - Date.now()), signal)
      }
    },
  }
}
