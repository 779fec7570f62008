/** The licence that an operator has installed. Without one, nothing is limited. */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { wordOf } from '../enumeration.ts'
import { MomentText } from '../fields.ts'
import { LicenseKind, LicenseLimits, LicenseType } from './document.ts'

/** The signed text, in the body or, as in the specification, in the query; the body takes precedence. Never logged. */
const Key = z.string().trim().min(1, 'required').max(8192, 'charactersExceedLimit').optional()
const KeyBody = z.strictObject({ key: Key })
const KeyQuery = z.strictObject({ key: Key })

export const installedStatuses = ['active', 'expired', 'revoked'] as const
export const InstalledStatus = wordOf(
  'InstalledLicenseStatus',
  'Whether the installed licence is in force.',
  installedStatuses,
)

export const InstalledLicense = z.object({
  serial: z.string(),
  kind: LicenseKind,
  type: LicenseType,
  holder: z.string(),
  status: InstalledStatus,
  limits: LicenseLimits,
  issuedAt: MomentText,
  expiredAt: MomentText,
  checkedAt: MomentText.nullable().describe('When the vendor was last asked, for an online licence.'),
})

export const installedLicense = {
  get: endpoint('license.get', 'GET', '/client/license', {
    tiers: ['client'],
    can: 'license.read',
    reply: z.object({
      installation: z.string().describe('What the vendor binds a licence to.'),
      license: InstalledLicense.nullable(),
      used: LicenseLimits.describe('What counts against the limits, now.'),
      server: z.string().describe('Where an online licence is checked; empty where nothing is asked.'),
    }),
    beyond: true,
    summary: 'Returns the installed licence and its usage.',
  }),
  sync: endpoint('license.offline.sync', 'PUT', '/offline/license', {
    tiers: ['client'],
    can: 'license.write',
    query: KeyQuery,
    body: KeyBody,
    reply: z.object({ expiredAt: MomentText, status: InstalledStatus }),
    summary: 'Installs a licence. Without a key, checks the installed one again.',
  }),
  updateKey: endpoint('license.offline.updateKey', 'PUT', '/offline/license/updateKey', {
    tiers: ['client'],
    can: 'license.write',
    query: KeyQuery,
    body: KeyBody,
    summary: 'Replaces the installed licence.',
  }),
  remove: endpoint('license.remove', 'DELETE', '/client/license', {
    tiers: ['client'],
    can: 'license.write',
    beyond: true,
    summary: 'Removes the installed licence. The open edition has no limits.',
  }),
}
