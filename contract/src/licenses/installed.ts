/** The licence that an operator has installed. Without one nothing is limited (ruling 1; gaps B-5, L-16, L-20). */
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { MomentText } from '../fields.ts'
import { LicenseLimits, licenseKinds, licenseTypes } from './document.ts'

/** The signed text, in the body or, as the specification has it, in the query; the body wins. Never logged. */
const Key = z.string().trim().min(1, 'required').max(8192, 'charactersExceedLimit').optional()
const KeyBody = z.strictObject({ key: Key })
const KeyQuery = z.strictObject({ key: Key })

export const installedStatuses = ['active', 'expired', 'revoked'] as const

export const InstalledLicense = z.object({
  serial: z.string(),
  kind: z.enum(licenseKinds),
  type: z.enum(licenseTypes),
  holder: z.string(),
  status: z.enum(installedStatuses),
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
    summary: 'The installed licence and what is used of it.',
  }),
  sync: endpoint('license.offline.sync', 'PUT', '/offline/license', {
    tiers: ['client'],
    can: 'license.write',
    audit: 'license.offline.sync',
    query: KeyQuery,
    body: KeyBody,
    reply: z.object({ expiredAt: MomentText, status: z.enum(installedStatuses) }),
    summary: 'Installs a licence; without a key, checks the installed one again.',
  }),
  updateKey: endpoint('license.offline.updateKey', 'PUT', '/offline/license/updateKey', {
    tiers: ['client'],
    can: 'license.write',
    audit: 'license.offline.updateKey',
    query: KeyQuery,
    body: KeyBody,
    summary: 'Replaces the installed licence by another text.',
  }),
  remove: endpoint('license.remove', 'DELETE', '/client/license', {
    tiers: ['client'],
    can: 'license.write',
    audit: 'license.remove',
    beyond: true,
    summary: 'Takes the licence out: the open edition goes on without limits.',
  }),
}
