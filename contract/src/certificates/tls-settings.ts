/** TLS settings of a site: versions, ciphers and HSTS. */
import { z } from 'zod'
import { wordOf } from '../enumeration.ts'
import { settings } from '../settings.ts'

export const tlsProfiles = ['modern', 'default', 'wide'] as const
const yearSeconds = 31_536_000

export const TlsSettings = z
  .strictObject({
    profile: wordOf(
      'TlsProfile',
      'modern is TLS 1.3 alone; default adds TLS 1.2 with authenticated ciphers; wide adds those of old clients (CBC).',
      tlsProfiles,
    ),
    hstsSeconds: z
      .number()
      .int('number')
      .min(0, 'number')
      .max(2 * yearSeconds, 'number')
      .describe('How long browsers use HTTPS alone (`Strict-Transport-Security`), in seconds; 0 says nothing of it.'),
    hstsSubdomains: z.boolean().describe('Whether that counts for all names below, too.'),
    hstsPreload: z
      .boolean()
      .describe('Whether browsers may know it before the first visit; wants a year and all names.'),
  })
  .superRefine(({ hstsPreload, hstsSeconds, hstsSubdomains }, context) => {
    if (hstsPreload && (hstsSeconds < yearSeconds || !hstsSubdomains))
      context.addIssue({ code: 'custom', path: ['hstsPreload'], message: 'preloadNeedsYear' })
  })

export const tlsSettings = settings(
  'site',
  'tls',
  {
    id: 'site.setting.tls',
    path: 'setting/tls',
    schema: TlsSettings,
    read: 'domains.read',
    write: 'domains.write',
    beyond: true,
    noun: 'versions and ciphers of TLS, and HSTS',
  },
  { profile: 'default', hstsSeconds: 0, hstsSubdomains: false, hstsPreload: false },
)
