/** Sign-in, tokens and one's own password. Tokens are opaque; the server decides how long they live. */
import { z } from 'zod'
import { endpoint, tiers } from '../endpoint.ts'
import { NewPassword, Typed } from '../fields.ts'
import { Code, PasskeyAnswer, PasskeyQuestion } from './codes.ts'

/** Lifetimes of tokens on the server, in seconds, and the grace period in which a rotated pair may be used again. */
export const accessTokenSeconds = 15 * 60
export const refreshTokenSeconds = 14 * 24 * 3600
export const refreshGraceSeconds = 10

/** 0 no second step · 1 code by e-mail · 2 automatic · 3 authenticator app · 4 passkey, beyond the specification. */
export const login2FATypes = { none: 0, email: 1, automatic: 2, totp: 3, passkey: 4 } as const
export const Login2FAType = z.number().int().meta({
  id: 'Login2FAType',
  description:
    'The second step of a sign-in: 0 none, 1 a mailed code, 2 automatic, 3 an authenticator app, 4 a passkey.',
})

export const TokenSet = z.object({ accessToken: z.string(), refreshToken: z.string(), tokenType: z.string() })
export type TokenSet = z.output<typeof TokenSet>

const Token = z.string().min(1, 'required').max(256)

export const signIn = {
  code: endpoint('auth.code', 'POST', '/:tier/code', {
    tiers,
    can: 'public',
    body: z.strictObject({ account: Typed, password: Typed }),
    reply: TokenSet.partial().extend({
      login2FAType: Login2FAType,
      onePassKey: z.string().optional(),
      code: z.string().optional(),
      methods: z.array(z.number().int()).optional().describe('Every second step that the account has.'),
      sentTo: z.string().optional().describe('Where the code was mailed, half hidden.'),
      passkey: PasskeyQuestion.optional(),
      mustChangePassword: z.boolean(),
    }),
    summary: 'First step of signing in. Returns tokens if no second step is needed.',
  }),
  login: endpoint('auth.login', 'POST', '/:tier/login', {
    tiers,
    can: 'public',
    body: z
      .strictObject({
        account: Typed,
        password: Typed,
        onePassKey: Token,
        login2FAType: Login2FAType,
        code: Code.default('').describe('Six digits, or a recovery code.'),
        passkey: PasskeyAnswer.optional().describe('What the authenticator answered, in place of a code.'),
      })
      .refine((body) => body.code !== '' || body.passkey !== undefined, { path: ['code'], message: 'required' }),
    reply: TokenSet,
    summary: 'Second step of signing in, with a code, a recovery code or a passkey.',
  }),
  refresh: endpoint('auth.refresh', 'PATCH', '/:tier', {
    tiers,
    can: 'public',
    body: z.strictObject({ refreshToken: Token, accessToken: Token }),
    reply: TokenSet,
    summary: 'Exchanges a refresh token for a new pair. Reusing a rotated one ends the whole session.',
  }),
  logout: endpoint('auth.logout', 'DELETE', '/:tier', {
    tiers,
    can: 'public',
    body: z.strictObject({ accessToken: Token, refreshToken: Token }),
    summary: 'Ends the session.',
  }),
  changePassword: endpoint('auth.password.change', 'PATCH', '/:tier/password', {
    tiers,
    can: 'signedIn',
    body: z
      .strictObject({ oldPassword: Typed, password: NewPassword, confirmPassword: Typed })
      .refine((body) => body.password === body.confirmPassword, {
        path: ['confirmPassword'],
        message: 'passwordNotMatch',
      }),
    reply: TokenSet,
    summary: 'Changes one’s own password, ends all other sessions and rotates this one.',
  }),
}
