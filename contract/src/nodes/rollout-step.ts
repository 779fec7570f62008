/** The steps in which a change of many sites is rolled out to the nodes of a group: one, a tenth, all. */
import { wordOf } from '../enumeration.ts'

export const RolloutStep = wordOf('RolloutStep', 'How far a rollout is: one node, a tenth of them, all.', [
  'canary',
  'tenth',
  'all',
])
