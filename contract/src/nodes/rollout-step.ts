/** The steps in which a change of many sites reaches the nodes of a group: one, a tenth, all. */
import { z } from 'zod'

export const RolloutStep = z.enum(['canary', 'tenth', 'all'])
