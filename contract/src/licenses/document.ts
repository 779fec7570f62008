/**
 * A licence as a document: the vendor signs it with Ed25519, and an installation checks it by itself, without a
 * network. Its text is `bwl1.<payload>.<signature>`, both base64url; the payload is the JSON of `LicenseDocument` with
 * its keys in the schema's order and nothing else, so that one licence has one text.
 */
import { z } from 'zod'
import { wordOf } from '../enumeration.ts'

const Limit = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER).nullable()

/** What a licence allows. Null means no limit. */
export const LicenseLimits = z.strictObject({
  nodes: Limit,
  zones: Limit,
  sites: Limit,
  domains: Limit,
  users: Limit.describe('Customers’ accounts.'),
  trafficBytes: Limit.describe('Bytes sent to visitors in a month of the accounting time zone.'),
})
export type LicenseLimits = z.output<typeof LicenseLimits>

export const unlimited: LicenseLimits = {
  nodes: null,
  zones: null,
  sites: null,
  domains: null,
  users: null,
  trafficBytes: null,
}

export const licenseKinds = ['online', 'offline'] as const
export const licenseTypes = ['standard', 'trial', 'support'] as const
export const LicenseKind = wordOf('LicenseKind', 'Whether an installation asks the vendor about it.', licenseKinds)
export const LicenseType = wordOf('LicenseType', 'What a licence is for.', licenseTypes)

export const LicenseDocument = z.strictObject({
  product: z.literal('breakwater'),
  serial: z.uuid(),
  /** Which of the issuer's keys signed: the first 16 hex digits of the SHA-256 of its raw public key. */
  signedBy: z.string().regex(/^[0-9a-f]{16}$/),
  kind: LicenseKind,
  type: LicenseType,
  holder: z.string(),
  limits: LicenseLimits,
  /** RFC 3339. */
  issuedAt: z.string(),
  expiresAt: z.string(),
  /** The only installation that may use it; null for any. */
  installation: z.string().nullable(),
  /** Set in the text that an online check returns if the vendor has revoked the licence. */
  revokedAt: z.string().nullable(),
})
export type LicenseDocument = z.output<typeof LicenseDocument>

/** How an installation identifies itself to the vendor. */
export const InstallationId = z
  .string()
  .trim()
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{8}){3}$/, 'wrongFormat')
