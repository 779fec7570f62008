/** The caller's sessions, confirming one's identity again, and acting for another account. */
import { z } from 'zod'
import { endpoint, tiers } from '../endpoint.ts'
import { Id, MomentText, Name, TierName, Typed } from '../fields.ts'
import { Ids, Paging, pageOf } from '../paging.ts'
import { OnePassKey } from './codes.ts'
import { TokenSet } from './sign-in.ts'

/** How long a person may act for another account, in seconds. Refreshing does not extend it. */
export const proxySeconds = 30 * 60
/** How long the code that starts such a session is valid, in seconds. */
export const switchCodeSeconds = 60

export const sessionCalls = {
  list: endpoint('auth.sessions.list', 'GET', '/:tier/sessions', {
    tiers,
    can: 'signedIn',
    query: Paging,
    reply: pageOf(
      z.object({
        id: z.number().int(),
        current: z.boolean().describe('Whether it is the one that asks.'),
        address: z.string(),
        userAgent: z.string(),
        proxiedBy: z.string().nullable().describe('Who acts for the account in it.'),
        createdAt: MomentText,
        lastSeenAt: MomentText,
      }),
    ),
    kind: 'list',
    beyond: true,
    summary: 'Lists the sessions of the account.',
  }),
  end: endpoint('auth.sessions.end', 'DELETE', '/:tier/sessions', {
    tiers,
    can: 'signedIn',
    audit: 'auth.session.end',
    body: Ids,
    beyond: true,
    summary: 'Ends sessions of the account.',
  }),
  endOthers: endpoint('auth.sessions.endOthers', 'DELETE', '/:tier/sessions/others', {
    tiers,
    can: 'signedIn',
    audit: 'auth.session.endOthers',
    reply: z.object({ ended: z.number().int() }),
    beyond: true,
    summary: 'Ends every session of the account except the current one.',
  }),
  verify: endpoint('auth.verify', 'POST', '/:tier/verify', {
    tiers,
    can: 'signedIn',
    audit: false,
    body: z
      .strictObject({ password: Typed.optional(), code: Typed.optional().describe('Of the app, where there is one.') })
      .refine(({ password, code }) => (password === undefined) !== (code === undefined), {
        message: 'required',
        path: ['password'],
      }),
    reply: z.object({ valid: z.boolean() }),
    summary: 'Confirms one’s password, or a code from one’s app, before a sensitive action.',
  }),
  proxy: endpoint('auth.proxy', 'POST', '/:tier/proxy', {
    tiers,
    can: 'accounts.write',
    personOnly: true,
    body: z.strictObject({
      id: Id,
      auth: TierName,
      reason: Name.describe('Read by both sides in the audit log.'),
    }),
    reply: z.object({
      code: z.string().describe('Exchanged once, within a minute, for the tokens.'),
      auth: TierName,
      account: z.string(),
    }),
    summary: 'Issues a one-time code for a short session as an account below one’s own.',
  }),
  switchUser: endpoint('auth.switchUser', 'POST', '/:tier/switchUser', {
    tiers: ['user', 'client'],
    can: 'public',
    audit: true,
    body: z.strictObject({ code: OnePassKey }),
    reply: TokenSet,
    beyond: true,
    summary: 'Starts the session that a code from `proxy` allows.',
  }),
}
