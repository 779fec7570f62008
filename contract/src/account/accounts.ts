/** Accounts below the caller's own: creating, updating, locking, removing. */
import { z } from 'zod'
import { endpoint, tiers } from '../endpoint.ts'
import { wordOf } from '../enumeration.ts'
import {
  AccountName,
  Email,
  Id,
  Locale,
  locales,
  MomentText,
  Name,
  NewPassword,
  QueryId,
  QuerySmall,
  TierName,
  Typed,
} from '../fields.ts'
import { pageOf, sorted } from '../paging.ts'
import { PermissionKeys } from '../permission-keys.ts'

/** Account status set A. */
export const accountStatuses = { pause: 0, normal: 1, lock: 2, expired: 3 } as const
export const accountStatusNames = ['pause', 'normal', 'lock', 'expired'] as const

/** The languages that an e-mail can be written in. */
export const mailLocales = locales

/** What happened to the e-mail to an account. */
const Delivery = {
  isQueued: z.boolean().describe('False where no mail server is set up: nothing is sent until one is.'),
  link: z
    .string()
    .nullable()
    .describe(
      'Where nothing is sent: the link of the mail, below the console’s address, to hand over. Not for API tokens or deputies.',
    ),
}

const MailLocale = Locale.optional().describe('The language of the mail.')
const Auth = TierName
const Target = { auth: Auth, id: Id }

export const Account = z.object({
  id: z.number().int(),
  name: z.string(),
  email: z.string(),
  account: z.string(),
  auth: TierName,
  status: z.number().int(),
  statusName: wordOf('AccountStatus', 'Whether an account may sign in.', accountStatusNames),
  invited: z.boolean().describe('Made, and no password chosen yet.'),
  roles: z.array(z.object({ id: z.number().int(), name: z.string() })),
  permissions: z.array(z.string()).describe('Keys handed out directly; roles aside.'),
  isRoot: z.boolean(),
  login2FAType: z.number().int(),
  maxLogExportTimes: z.number().int(),
  allSites: z.boolean(),
  expiredAt: MomentText.nullable().describe('From when on it counts as expired.'),
  tenant: z.object({ id: z.number().int(), name: z.string() }),
  createdAt: MomentText,
})
export type Account = z.output<typeof Account>

/** Accounts are counted up to this many; to find one among more, search. */
export const accountListMax = 10_000
const AccountPage = pageOf(Account).extend({ isMore: z.boolean().describe('True where more match than are counted.') })

const RoleIds = z.array(Id).max(50, 'itemsExceedLimit')
const Settings = {
  roleIDs: RoleIds.optional(),
  maxLogExportTimes: z.number().int('number').min(0, 'number').max(10_000, 'number').optional(),
  allSites: z.boolean().optional().describe('Whether a sub-account reaches every site, or those granted to it.'),
  expiredAt: z.iso.datetime({ offset: true, error: 'wrongFormat' }).nullable().optional(),
  permissions: PermissionKeys.optional().describe('Keys handed out directly, where a console has no roles.'),
}

const listQuery = sorted('id', 'name', 'account', 'email', 'status', 'createdAt').extend({
  auth: TierName.optional(),
  client: QueryId.optional(),
  clientID: QueryId.optional().describe('Narrows to an operator’s people; wins over client.'),
  name: z.string().max(256).optional().describe('Part of a name, account name or e-mail.'),
  status: QuerySmall.max(3, 'wrongFormat').optional(),
})

export const accounts = {
  list: endpoint('account.list', 'GET', '/:tier/accounts', {
    tiers,
    can: 'accounts.read',
    query: listQuery,
    reply: AccountPage,
    kind: 'list',
    summary: 'Lists the accounts below one’s own.',
  }),
  create: endpoint('account.create', 'POST', '/:tier/account', {
    tiers,
    can: 'accounts.write',
    body: z.strictObject({
      auth: Auth,
      name: Name,
      email: Email,
      account: AccountName,
      locale: MailLocale,
      clientID: Id.optional().describe('The operator whose customer this is; the vendor says it.'),
      ...Settings,
    }),
    reply: z.object({ id: z.number().int(), ...Delivery }),
    summary: 'Creates an account. A customer created by an operator is a tenant of its own.',
  }),
  update: endpoint('account.update', 'PUT', '/:tier/account', {
    tiers,
    can: 'accounts.write',
    body: z.strictObject({
      ...Target,
      name: Name.optional(),
      email: Email.optional(),
      status: z.number().int().min(0, 'wrongFormat').max(3, 'wrongFormat').optional(),
      ...Settings,
    }),
    summary: 'Updates an account. Any status other than normal ends its sessions.',
  }),
  remove: endpoint('account.remove', 'DELETE', '/:tier/account', {
    tiers,
    can: 'accounts.write',
    body: z.strictObject(Target),
    summary: 'Removes an account that owns nothing.',
  }),
  setPassword: endpoint('account.password.set', 'PUT', '/:tier/account/password', {
    tiers,
    can: 'accounts.write',
    personOnly: true,
    body: z
      .strictObject({ ...Target, password: NewPassword, confirmPassword: Typed })
      .refine((body) => body.password === body.confirmPassword, {
        path: ['confirmPassword'],
        message: 'passwordNotMatch',
      }),
    summary: 'Sets another account’s password, which must be changed at the next sign-in. Ends its sessions.',
  }),
  resetSecondStep: endpoint('account.login2fa.reset', 'DELETE', '/:tier/account/login2fa', {
    tiers,
    can: 'accounts.write',
    personOnly: true,
    body: z.strictObject(Target),
    beyond: true,
    summary:
      'Resets two-step verification for an account whose device is lost: app, passkeys and recovery codes. Ends its sessions.',
  }),
  resendEmail: endpoint('account.resendEmail', 'POST', '/:tier/account/resendEmail', {
    tiers,
    can: 'accounts.write',
    body: z.strictObject({ ...Target, locale: MailLocale }),
    reply: z.object(Delivery),
    summary: 'Sends the link to choose a password again. Earlier links stop working.',
  }),
  removalCheck: endpoint('account.removalCheck', 'GET', '/:tier/account/:userId/removalCheck', {
    tiers,
    can: 'accounts.read',
    reply: z.object({
      subs: z.number().int(),
      sites: z.number().int(),
      zones: z.number().int(),
      apiTokens: z.number().int(),
      sessions: z.number().int(),
      grants: z.number().int(),
    }),
    beyond: true,
    summary:
      'What removing an account would leave behind (sub-accounts, sites and zones, which prevent it) or remove with it (the rest).',
  }),
  subs: endpoint('account.subs.list', 'GET', '/:tier/account/:userId/subs', {
    tiers,
    can: 'accounts.read',
    query: sorted('id', 'name', 'account', 'email', 'status', 'createdAt').extend({ auth: TierName.optional() }),
    reply: AccountPage,
    kind: 'list',
    summary: 'Lists the sub-accounts of an account.',
  }),
  setRoles: endpoint('account.role.set', 'PUT', '/:tier/account/role', {
    can: 'accounts.write',
    body: z.strictObject({ id: Id, roleIDs: RoleIds }),
    summary: 'Sets the roles of an account.',
  }),
}
