/** The challenge endpoint: accepts what a challenge page sends back, at one path on every site. */
import { answerPath } from '@breakwater/contract/edge/answer-path.ts'
import type { Guard } from '../lib/guard.ts'

export const challenge: Guard<true, 'none'> = {
  name: 'challenge',
  takes: 'none',
  phase: 'headers',
  compile: () => true,
  check: (_, request, tools) => (request.path === answerPath ? tools.answer(request) : undefined),
}
