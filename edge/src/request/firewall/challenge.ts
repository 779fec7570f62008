/** The challenge endpoint: takes what a challenge page sends back, at one path of every site. */
import type { Guard } from '../lib/guard.ts'

/** Where challenge pages send their answers. Reserved on every site. */
export const answerPath = '/.well-known/breakwater/challenge'

export const challenge: Guard<true, 'none'> = {
  name: 'challenge',
  takes: 'none',
  phase: 'headers',
  compile: () => true,
  check: (_, request, tools) => (request.path === answerPath ? tools.answer(request) : undefined),
}
