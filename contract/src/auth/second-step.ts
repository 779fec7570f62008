/** Two-step verification: setting it up in three phases, recovery codes, passkeys. */
import { z } from 'zod'
import { endpoint, tiers } from '../endpoint.ts'
import { numberOf } from '../enumeration.ts'
import { Id, MomentText, Name, Typed } from '../fields.ts'
import { Code, OnePassKey, PasskeyAnswer, PasskeyQuestion } from './codes.ts'
import { login2FATypes } from './sign-in.ts'

/** How long a one-pass key and an e-mailed code are valid, in seconds, and how many codes may be tried per key. */
export const onePassKeySeconds = 5 * 60
export const mailCodeSeconds = 10 * 60
export const codeTriesMax = 5

export const recoveryCodeCount = 10
export const passkeysMax = 20

/** The second steps that a person may choose: none, a code by e-mail, an authenticator app. */
const Chosen = numberOf(
  'ChosenSecondStep',
  'The second step that one may choose',
  { none: login2FATypes.none, email: login2FATypes.email, totp: login2FATypes.totp },
  'wrongFormat',
)

const RecoveryCodes = z.array(z.string()).describe('Shown this once; each is good for one sign-in.')

export const Passkey = z.object({
  id: z.number().int(),
  name: z.string(),
  createdAt: MomentText,
  lastUsedAt: MomentText.nullable(),
})
export type Passkey = z.output<typeof Passkey>

export const SecondStepState = z.object({
  login2FAType: z.number().int().describe('How the account signs in at the moment.'),
  chosen: z.number().int().describe('What the person chose: 0, 1 or 3.'),
  mailReady: z
    .boolean()
    .describe('Whether codes can be mailed: the operator’s mail has passed its test, and there is an address.'),
  recoveryCodes: z.number().int().describe('How many are left.'),
  passkeys: z.array(Passkey),
  passkeyOrigin: z.string().describe('The address at which passkeys work; empty where they cannot.'),
})
export type SecondStepState = z.output<typeof SecondStepState>

export const secondStep = {
  state: endpoint('auth.login2fa.get', 'GET', '/:tier/login2fa', {
    tiers,
    can: 'signedIn',
    reply: SecondStepState,
    beyond: true,
    summary: 'Returns one’s own two-step verification settings.',
  }),
  phase0: endpoint('auth.login2fa.phase0', 'POST', '/:tier/login2fa/phase0', {
    tiers,
    can: 'signedIn',
    body: z.strictObject({
      password: Typed,
      login2FAType: z.number().int().optional().describe('Said again in phase 1, which counts.'),
    }),
    reply: z.object({
      onePassKey: z.string(),
      login2FAType: z.number().int().describe('Whose code phase 1 asks for; 0 for none.'),
    }),
    summary: 'Starts setting up two-step verification with one’s password.',
  }),
  phase1: endpoint('auth.login2fa.phase1', 'POST', '/:tier/login2fa/phase1', {
    tiers,
    can: 'signedIn',
    body: z.strictObject({
      onePassKey: OnePassKey,
      code: Code.default('').describe('Of the present second step, where there is one.'),
      login2FAType: Chosen.default(login2FATypes.totp),
    }),
    reply: z.object({
      onePassKey: z.string(),
      login2FAType: z.number().int(),
      qrCode: z.string().optional().describe('A picture, as a data address.'),
      qrCodeData: z.string().optional().describe('What the picture says: an otpauth address.'),
    }),
    summary: 'Verifies the current second step and starts the new one: a QR code, or a code by e-mail.',
  }),
  phase2: endpoint('auth.login2fa.phase2', 'POST', '/:tier/login2fa/phase2', {
    tiers,
    can: 'signedIn',
    body: z.strictObject({ onePassKey: OnePassKey, code: Code.default('').describe('Of the new second step.') }),
    reply: z.object({ login2FAType: z.number().int(), recoveryCodes: RecoveryCodes }),
    summary: 'Saves the second step once its first code is right.',
  }),
  renewRecoveryCodes: endpoint('auth.login2fa.recoveryCodes', 'POST', '/:tier/login2fa/recoveryCodes', {
    tiers,
    can: 'signedIn',
    body: z.strictObject({ password: Typed }),
    reply: z.object({ recoveryCodes: RecoveryCodes }),
    beyond: true,
    summary: 'Creates new recovery codes. Earlier ones stop working.',
  }),
}

export const passkeys = {
  begin: endpoint('auth.passkeys.options', 'POST', '/:tier/passkeys/options', {
    tiers,
    can: 'signedIn',
    body: z.strictObject({ password: Typed }),
    reply: z.object({ onePassKey: z.string(), options: PasskeyQuestion }),
    beyond: true,
    summary: 'Starts adding a passkey.',
  }),
  add: endpoint('auth.passkeys.create', 'POST', '/:tier/passkeys', {
    tiers,
    can: 'signedIn',
    body: z.strictObject({ onePassKey: OnePassKey, name: Name, credential: PasskeyAnswer }),
    reply: z.object({ id: z.number().int(), recoveryCodes: RecoveryCodes }),
    beyond: true,
    summary: 'Adds a passkey under a name.',
  }),
  remove: endpoint('auth.passkeys.remove', 'DELETE', '/:tier/passkeys', {
    tiers,
    can: 'signedIn',
    body: z.strictObject({ id: Id, password: Typed }),
    beyond: true,
    summary: 'Removes a passkey.',
  }),
}
