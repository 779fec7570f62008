/** Accounts below one's own: making, changing, locking, leaving (rules Q, gaps B-1, B-2, B-55, B-66). */
import { z } from 'zod'
import { endpoint, tiers } from '../endpoint.ts'
import { AccountName, Email, MomentText, Name, NewPassword, Typed } from '../fields.ts'
import { pageOf, sorted } from '../paging.ts'
import { PermissionKeys } from '../roles/roles.ts'

/** Account status set A (gaps L-17). */
export const accountStatuses = { pause: 0, normal: 1, lock: 2, expired: 3 } as const
export const accountStatusNames = ['pause', 'normal', 'lock', 'expired'] as const

/** The languages a mail can be written in. */
export const mailLocales = ['en_US', 'zh_CN', 'zh_TW'] as const

const Locale = z.enum(mailLocales).optional().describe('The language of the mail.')
const Id = z.number().int().positive()
const Auth = z.enum(tiers, 'required')
const Target = { auth: Auth, id: Id }

export const Account = z.object({
  id: z.number().int(),
  name: z.string(),
  email: z.string(),
  account: z.string(),
  auth: z.enum(tiers),
  status: z.number().int(),
  statusName: z.enum(accountStatusNames),
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

/** Accounts are counted up to here; whoever looks for one among more searches. */
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
  auth: z.enum(tiers).optional(),
  client: z.coerce.number().int().positive().optional(),
  clientID: z.coerce
    .number()
    .int()
    .positive()
    .optional()
    .describe('Narrows to an operator’s people; wins over client.'),
  name: z.string().max(256).optional().describe('Part of a name, account name or e-mail.'),
  status: z.coerce.number().int().min(0).max(3).optional(),
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
    audit: 'account.create',
    body: z.strictObject({
      auth: Auth,
      name: Name,
      email: Email,
      account: AccountName,
      locale: Locale,
      clientID: Id.optional().describe('The operator whose customer this is; the vendor says it.'),
      ...Settings,
    }),
    reply: z.object({ id: z.number().int() }),
    summary: 'Makes an account. A customer made by an operator is a tenant of its own.',
  }),
  update: endpoint('account.update', 'PUT', '/:tier/account', {
    tiers,
    can: 'accounts.write',
    audit: 'account.update',
    body: z.strictObject({
      ...Target,
      name: Name.optional(),
      email: Email.optional(),
      status: z.number().int().min(0, 'wrongFormat').max(3, 'wrongFormat').optional(),
      ...Settings,
    }),
    summary: 'Changes an account. Any status but normal ends its sessions.',
  }),
  remove: endpoint('account.remove', 'DELETE', '/:tier/account', {
    tiers,
    can: 'accounts.write',
    audit: 'account.remove',
    body: z.strictObject(Target),
    summary: 'Removes an account that leaves nothing behind.',
  }),
  setPassword: endpoint('account.password.set', 'PUT', '/:tier/account/password', {
    tiers,
    can: 'accounts.write',
    personOnly: true,
    audit: 'account.password.set',
    body: z
      .strictObject({ ...Target, password: NewPassword, confirmPassword: Typed })
      .refine((body) => body.password === body.confirmPassword, {
        path: ['confirmPassword'],
        message: 'passwordNotMatch',
      }),
    summary: 'Sets another’s password, to be changed at the next sign-in. Ends its sessions.',
  }),
  resetSecondStep: endpoint('account.login2fa.reset', 'DELETE', '/:tier/account/login2fa', {
    tiers,
    can: 'accounts.write',
    personOnly: true,
    audit: 'account.login2fa.reset',
    body: z.strictObject(Target),
    beyond: true,
    summary:
      'Takes the second step off an account whose device is lost: app, passkeys, recovery codes. Ends its sessions.',
  }),
  resendEmail: endpoint('account.resendEmail', 'POST', '/:tier/account/resendEmail', {
    tiers,
    can: 'accounts.write',
    audit: 'account.resendEmail',
    body: z.strictObject({ ...Target, locale: Locale }),
    summary: 'Sends the link to choose a password again; earlier links end.',
  }),
  leftovers: endpoint('account.leftovers', 'GET', '/:tier/account/:userId/leftovers', {
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
      'What removing an account would leave behind (subs, sites, zones: they forbid it) or take along (the rest).',
  }),
  subs: endpoint('account.subs.list', 'GET', '/:tier/account/:userId/subs', {
    tiers,
    can: 'accounts.read',
    query: sorted('id', 'name', 'account', 'email', 'status', 'createdAt').extend({ auth: z.enum(tiers).optional() }),
    reply: AccountPage,
    kind: 'list',
    summary: 'Lists the accounts whose parent is this one.',
  }),
  setRoles: endpoint('account.role.set', 'PUT', '/:tier/account/role', {
    can: 'accounts.write',
    audit: 'account.role.set',
    body: z.strictObject({ id: Id, roleIDs: RoleIds }),
    summary: 'Sets the roles of an account.',
  }),
}
