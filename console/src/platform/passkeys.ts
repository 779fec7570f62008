/** The browser's part of passkeys. Loaded only by people who have one or add one. */
import type { PasskeyAnswer } from '@breakwater/contract/auth/codes.ts'
import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from '@simplewebauthn/browser'

/** The person cancelled, the device does not know the key, or a timeout occurred: not an error of ours. */
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

/** Asks for a passkey of the account. Returns undefined if the person or the device did not respond. */
export const answerPasskey = (question: object): Promise<PasskeyAnswer | undefined> =>
  asked(() => startAuthentication({ optionsJSON: question as PublicKeyCredentialRequestOptionsJSON }))

/** Creates a passkey. */
export const makePasskey = (question: object): Promise<PasskeyAnswer | undefined> =>
  asked(() => startRegistration({ optionsJSON: question as PublicKeyCredentialCreationOptionsJSON }))
