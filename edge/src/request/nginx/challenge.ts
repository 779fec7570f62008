/** Challenges on live requests (made whole in a later step). */
import type { EdgeRequest, Verdict } from '../guard.ts'

export function hasPassed(_request: EdgeRequest): boolean {
  return false
}

export function answerOf(_request: EdgeRequest): Verdict {
  return { action: 'block', guard: 'challenge', rule: 0, cause: 978, status: 403, blockType: 0 }
}
