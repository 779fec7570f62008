/** Licences that the vendor issues, online and offline. */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { wordOf } from '../enumeration.ts'
import { Id, Moment, MomentText, Name } from '../fields.ts'
import { Paging, pageOf } from '../paging.ts'
import { InstallationId, LicenseLimits, LicenseType } from './document.ts'

/** `draft` is not signed yet; `expired` and `revoked` mean what they say. */
export const licenseStatuses = ['draft', 'issued', 'expired', 'revoked'] as const
export const LicenseStatus = wordOf('LicenseStatus', 'How far a licence of the vendor is.', licenseStatuses)

/** A limit in a form: empty means none. */
const Limit = z.number('number').int('number').min(0, 'number').max(1e15, 'number').nullable().default(null)
const Limits = z.strictObject({
  zones: Limit,
  sites: Limit,
  domains: Limit,
  users: Limit,
  trafficBytes: Limit,
})
const Future = Moment.refine((ms) => ms > Date.now(), 'inThePast')

export const LicenseFields = z.strictObject({
  userID: z.number('required').int().positive('required').describe('The operator’s account.'),
  name: Name,
  type: LicenseType.default('standard'),
  nodeCount: Limit,
  limits: Limits.prefault({}),
  expiredAt: Future,
})

const Row = {
  id: z.number().int(),
  userID: z.number().int().nullable(),
  userName: z.string(),
  name: z.string(),
  key: z.string().nullable().describe('The signed text, once it was issued.'),
  type: LicenseType,
  status: LicenseStatus,
  nodeCount: z.number().int().nullable(),
  limits: LicenseLimits,
  createdAt: MomentText,
  issuedAt: MomentText.nullable(),
  expiredAt: MomentText,
}
export const License = z.object(Row)
export type License = z.output<typeof License>
export const OfflineLicense = z.object({
  ...Row,
  installation: z.string().nullable().describe('The installation it is bound to.'),
  registeredAt: MomentText.nullable(),
})
export type OfflineLicense = z.output<typeof OfflineLicense>

const Listing = Paging.extend({
  name: z.string().max(256).optional().describe('Part of a licence’s or its holder’s name.'),
  status: LicenseStatus.optional(),
})

/** What an operator ordered; it goes into the next licence that is issued to it. */
export const LicenseSetting = z.strictObject({
  type: LicenseType.default('standard'),
  months: z.number('number').int('number').min(1, 'number').max(120, 'number').default(12),
  limits: Limits.extend({ nodes: Limit }).prefault({}),
})
export type LicenseSetting = z.output<typeof LicenseSetting>

const vendor = { tiers: ['admin'], can: 'licenses.read' } as const
const write = { tiers: ['admin'], can: 'licenses.write' } as const
const IdsBody = z.strictObject({ ids: z.array(Id).min(1, 'required').max(1000, 'itemsExceedLimit') })

export const licenses = {
  list: endpoint('admin.license.list', 'GET', '/admin/license', {
    ...vendor,
    query: Listing,
    reply: pageOf(License),
    kind: 'list',
    summary: 'Lists the online licences.',
  }),
  create: endpoint('admin.license.create', 'POST', '/admin/license', {
    ...write,
    body: LicenseFields,
    reply: z.object({ id: z.number().int() }),
    summary: 'Drafts a licence for an operator.',
  }),
  update: endpoint('admin.license.update', 'PUT', '/admin/license', {
    ...write,
    body: LicenseFields.omit({ userID: true }).extend({ id: Id }),
    summary: 'Updates a licence. An issued one stays as it is until it is issued again.',
  }),
  remove: endpoint('admin.license.remove', 'DELETE', '/admin/license', {
    ...write,
    body: IdsBody,
    summary: 'Removes drafts, and licences that have expired or were revoked.',
  }),
  issue: endpoint('admin.license.issue', 'POST', '/admin/license/issuing', {
    ...write,
    body: z.strictObject({ userID: Id, id: Id }),
    reply: z.object({ key: z.string() }),
    summary: 'Signs a licence and returns its text.',
  }),
  revoke: endpoint('admin.license.revoke', 'POST', '/admin/license/revocation', {
    ...write,
    body: IdsBody,
    beyond: true,
    summary: 'Revokes licences. Online installations learn of it at their next check.',
  }),
  publicKey: endpoint('admin.license.publicKey', 'GET', '/admin/license/publicKey', {
    ...vendor,
    reply: z.object({ publicKey: z.string().describe('Ed25519, raw, base64') }),
    beyond: true,
    summary: 'Returns the public key that installations trust.',
  }),
  order: endpoint('admin.license.order.get', 'GET', '/admin/license/:userId/order', {
    ...vendor,
    reply: z.object({ licenseSetting: LicenseSetting }),
    summary: 'Returns an operator’s order.',
  }),
  updateOrder: endpoint('admin.license.order.update', 'PUT', '/admin/license/:userId/order', {
    ...write,
    body: z.strictObject({ licenseSetting: LicenseSetting }),
    summary: 'Updates an operator’s order. It takes effect when the licence is next issued.',
  }),
  offlineList: endpoint('admin.license.offline.list', 'GET', '/admin/license/offlines', {
    ...vendor,
    query: Listing,
    reply: pageOf(OfflineLicense),
    kind: 'list',
    summary: 'Lists the offline licences.',
  }),
  offlineIssue: endpoint('admin.license.offline.issue', 'POST', '/admin/license/offline/issuing', {
    ...write,
    body: LicenseFields.extend({ installation: InstallationId.nullable().default(null) }),
    reply: z.object({ id: z.number().int(), key: z.string() }),
    summary: 'Creates and signs an offline licence, bound to an installation if one is given.',
  }),
  offlineUpdate: endpoint('admin.license.offline.update', 'PUT', '/admin/license/offline', {
    ...write,
    body: LicenseFields.omit({ userID: true }).extend({
      id: Id,
      installation: InstallationId.nullable().optional(),
    }),
    reply: z.object({ key: z.string() }),
    summary: 'Updates an offline licence and signs it again. The operator has to install the new key.',
  }),
  offlineRemove: endpoint('admin.license.offline.remove', 'DELETE', '/admin/license/offline', {
    ...write,
    body: IdsBody,
    summary: 'Removes offline licences. An installed key keeps working until it expires.',
  }),
  offlineUnregister: endpoint('admin.license.offline.unregister', 'DELETE', '/admin/license/offline/register', {
    ...write,
    body: z.strictObject({ id: Id }),
    summary: 'Unbinds a licence from its installation, so that the next key can be bound to another.',
  }),
}

/** Calls from installations to the vendor. The licence itself authenticates the caller. */
export const licenseCheck = {
  check: endpoint('license.check', 'POST', '/license/check', {
    tiers: [],
    can: 'public',
    body: z.strictObject({ key: z.string().min(1, 'required').max(8192, 'charactersExceedLimit') }),
    reply: z.object({ key: z.string() }),
    beyond: true,
    summary: 'Returns the current text of an online licence, which says so if it was revoked.',
  }),
}
