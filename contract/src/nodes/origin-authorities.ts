/**
 * Which certificate authorities the nodes of a zone trust for origins, in addition to those that their machines trust.
 */
import { z } from 'zod'
import { MomentText } from '../fields.ts'
import { settings } from '../settings.ts'

/** The most authority certificates of a zone. */
export const originAuthoritiesMax = 20

export const OriginAuthorities = z.strictObject({
  certificates: z
    .string()
    .trim()
    .max(131_072, 'charactersExceedLimit')
    .describe(
      `PEM certificates of authorities, ${originAuthoritiesMax} at most, by which origins are verified beside the public ones; empty for the public ones alone.`,
    ),
})

/** What a certificate says about its authority. */
export const OriginAuthority = z.object({
  subject: z.string(),
  expired: MomentText.describe('When it ends.'),
  fingerprint: z.string().describe('SHA-256 of the certificate, in hex.'),
})
export type OriginAuthority = z.output<typeof OriginAuthority>

export const originAuthorities = settings(
  'zone',
  'originAuthorities',
  {
    ...{ id: 'client.zone.setting.originAuthorities', path: 'setting/originAuthorities' },
    ...{ read: 'zones.read', write: 'zones.write' },
    schema: OriginAuthorities,
    reply: z.object({ ...OriginAuthorities.shape, authorities: z.array(OriginAuthority) }),
    noun: 'certificate authorities that a zone believes about origins',
    beyond: true,
    reloads: true,
  },
  { certificates: '', authorities: [] },
)
