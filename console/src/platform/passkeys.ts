/** The browser's side of passkeys. Loaded only by whoever has one or adds one. */
import type { PasskeyAnswer } from '@breakwater/contract/auth/codes.ts'
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser'

/** A person who cancels, a device that does not know the key, or a time-out: not a fault of ours. */
const isNoAnswer = (error: unknown): boolean =>
  error instanceof WebAuthnError ||
  (error instanceof Error && /^(NotAllowed|InvalidState|Abort|NotSupported)Error$/.test(error.name))

async function asked<T>(ask: () => Promise<T>): Promise<PasskeyAnswer | undefined> {
  try {
    return (await ask()) as PasskeyAnswer
  } catch (error) {
    if (isNoAnswer(error)) return undefined
    throw error
  }
}

/** Asks a passkey of the account. Nothing where the person or the device did not answer. */
export const answerPasskey = (question: object): Promise<PasskeyAnswer | undefined> =>
  asked(() => startAuthentication({ optionsJSON: question as PublicKeyCredentialRequestOptionsJSON }))

/** Has a new passkey made. */
export const makePasskey = (question: object): Promise<PasskeyAnswer | undefined> =>
  asked(() => startRegistration({ optionsJSON: question as PublicKeyCredentialCreationOptionsJSON }))
