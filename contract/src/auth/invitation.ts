/** From the link in an e-mail to a new password. The token alone identifies the account. */
import { z } from 'zod'
import { endpoint, tiers } from '../endpoint.ts'
import { NewPassword, TierName, Typed } from '../fields.ts'

/** How long the link in an e-mail is valid, in seconds. */
export const mailTokenSeconds = 24 * 3600

const Token = z.string().min(1, 'required').max(256, 'charactersExceedLimit')
const Echo = z.unknown().optional().describe('What the check answered; the server goes by the token alone.')

export const invitation = {
  forgotPassword: endpoint('auth.password.forgot', 'POST', '/:tier/password/forgot', {
    tiers,
    can: 'public',
    audit: true,
    body: z.strictObject({ account: Typed }),
    beyond: true,
    summary: 'Sends a link to choose a new password. The reply is the same for an account that does not exist.',
  }),
  checkToken: endpoint('auth.token.check', 'POST', '/token/check', {
    tiers,
    can: 'public',
    body: z.strictObject({ token: Token }),
    reply: z.object({
      valid: z.boolean(),
      auth: TierName,
      email: z.string(),
      id: z.number().int(),
      name: z.string(),
      token: z.string(),
    }),
    summary: 'Returns whose invitation a token is, without using it up.',
  }),
  registerPassword: endpoint('auth.register.password', 'POST', '/register/password', {
    tiers,
    can: 'public',
    audit: true,
    body: z
      .strictObject({
        auth: Echo,
        email: Echo,
        id: Echo,
        name: Echo,
        token: Token,
        password: NewPassword,
        confirmPassword: Typed,
      })
      .refine((body) => body.password === body.confirmPassword, {
        path: ['confirmPassword'],
        message: 'passwordNotMatch',
      }),
    summary: 'Sets the password of an invited account. Uses up the token and ends all sessions.',
  }),
}
