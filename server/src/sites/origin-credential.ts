/** The origin credential: its value is stored sealed, separately from the settings, and never read back. */
import { originCredential } from '@breakwater/contract/sites/origin-credential.ts'
import { z } from 'zod'
import { newestSiteSecret, removeSiteSecret, writeSiteSecret } from '../secrets/store.ts'
import { siteSettingsApart } from '../settings/site-settings.ts'

const secret = 'originCredential'

export const originCredentialSettings = siteSettingsApart(originCredential, {
  saved: z.object({ header: z.string(), version: z.number() }),
  none: { header: '', version: 0 },

  async save({ vault }, db, site, { header, value }) {
    return { header, version: await writeSiteSecret(db, vault, site, secret, Buffer.from(value)) }
  },
  forget: (db, site) => removeSiteSecret(db, site, secret),
  show: ({ header, version }) => ({ header, isSet: version > 0, version }),

  /** A secret is not restored: the header is as it was, with the newest stored value. */
  async revive(db, site, { header }) {
    const version = await newestSiteSecret(db, site, secret)
    return version === undefined ? undefined : { header, version }
  },

  render({ header, version }, out) {
    if (version === 0) return
    out.set('settings', { originCredentialHeader: header })
    out.secrets.originCredential = `${secret}@${version}`
  },
})
