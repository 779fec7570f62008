/** The challenge gate: takes what a challenge page sends back, at one path of every site. */
import type { Guard } from '../guard.ts'

/** Where challenge pages send their answers. Reserved on every site. */
export const answerPath = '/.well-known/breakwater/challenge'

export const challenge: Guard<true> = {
  name: 'challenge',
  phase: 'headers',
  compile: () => true,
  check: (_, request, tools) => (request.path === answerPath ? tools.answer(request) : undefined),
}
