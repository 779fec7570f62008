/** Codes and authenticator responses of the second step. */
import { z } from 'zod'

export const OnePassKey = z.string().min(1, 'required').max(256, 'charactersExceedLimit')

/** Six digits, or a recovery code as printed; whitespace is removed. */
export const Code = z
  .string()
  .max(64, 'charactersExceedLimit')
  .transform((text) => text.replace(/\s/g, ''))

/** An authenticator's response (WebAuthn, level 3); the server's library verifies all of it. */
export const PasskeyAnswer = z
  .looseObject({ id: z.string().min(1).max(2048), rawId: z.string().max(2048), type: z.literal('public-key') })
  .describe('A PublicKeyCredential as JSON.')

export type PasskeyAnswer = z.output<typeof PasskeyAnswer>

/** The options passed to an authenticator. */
export const PasskeyQuestion = z
  .looseObject({ challenge: z.string() })
  .describe('Options of the WebAuthn call as JSON.')
