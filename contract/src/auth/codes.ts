/** What is typed or answered in a second step. */
import { z } from 'zod'

export const OnePassKey = z.string().min(1, 'required').max(256, 'charactersExceedLimit')

/** Six digits, or a recovery code as it was printed; spaces within are taken out. */
export const Code = z
  .string()
  .max(64, 'charactersExceedLimit')
  .transform((text) => text.replace(/\s/g, ''))

/** What an authenticator answers (WebAuthn, level 3): checked whole by the server's library. */
export const PasskeyAnswer = z
  .looseObject({ id: z.string().min(1).max(2048), rawId: z.string().max(2048), type: z.literal('public-key') })
  .describe('A PublicKeyCredential as JSON.')

export type PasskeyAnswer = z.output<typeof PasskeyAnswer>

/** What an authenticator is asked. */
export const PasskeyQuestion = z
  .looseObject({ challenge: z.string() })
  .describe('Options of the WebAuthn call as JSON.')
