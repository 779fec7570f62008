/** One's sessions, proving oneself again, and acting for another (rules D15, D16; gaps B-3, L-8). */
import { z } from 'zod'
import { endpoint, tiers } from '../endpoint.ts'
import { MomentText, Name, Typed } from '../fields.ts'
import { Ids, Paging, pageOf } from '../paging.ts'
import { OnePassKey } from './codes.ts'
import { TokenSet } from './sign-in.ts'

/** How long one may act for another, in seconds. Refreshing does not prolong it. */
export const proxySeconds = 30 * 60
/** How long the code is good that leads into such a session, in seconds. */
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
    summary: 'Lists where the account is signed in.',
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
    summary: 'Ends every session of the account but the one that asks.',
  }),
  verify: endpoint('auth.verify', 'POST', '/:tier/verify', {
    tiers,
    can: 'signedIn',
    body: z.strictObject({ password: Typed }),
    reply: z.object({ valid: z.boolean() }),
    summary: 'Asks for one’s password again before something sensitive.',
  }),
  proxy: endpoint('auth.proxy', 'POST', '/:tier/proxy', {
    tiers,
    can: 'accounts.write',
    personOnly: true,
    audit: 'auth.proxy',
    body: z.strictObject({
      id: z.number().int().positive(),
      auth: z.enum(tiers, 'required'),
      reason: Name.describe('Read by both sides in the audit log.'),
    }),
    reply: z.object({
      code: z.string().describe('Exchanged once, within a minute, for the tokens.'),
      auth: z.enum(tiers),
      account: z.string(),
    }),
    summary: 'Allows a short session as an account below one’s own.',
  }),
  switchUser: endpoint('auth.switchUser', 'POST', '/:tier/switchUser', {
    tiers: ['user', 'client'],
    can: 'public',
    audit: 'auth.switchUser',
    body: z.strictObject({ code: OnePassKey }),
    reply: TokenSet,
    beyond: true,
    summary: 'Begins the session that a code of `proxy` allows.',
  }),
}
