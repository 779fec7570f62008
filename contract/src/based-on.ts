/** The state that a change is based on. It is sent with a save, so that nobody's change is overwritten unnoticed. */
import { z } from 'zod'

export const BasedOn = z
  .record(z.string(), z.unknown())
  .optional()
  .describe('Fields as they were read. Where one of them holds another value by now, nothing is changed (409).')
export type BasedOn = z.output<typeof BasedOn>
