/** What nodes get of a site's TLS settings. */
import { tlsSettings } from '@breakwater/contract/certificates/tls-settings.ts'
import { siteSettings } from '../settings/site-settings.ts'

export const tlsSiteSettings = siteSettings(tlsSettings, {
  render({ profile, hstsSeconds, hstsSubdomains, hstsPreload }, out) {
    if (profile !== 'default') out.set('settings', { tlsProfile: profile })
    if (hstsSeconds === 0) return
    const words = [
      `max-age=${hstsSeconds}`,
      ...(hstsSubdomains ? ['includeSubDomains'] : []),
      ...(hstsPreload ? ['preload'] : []),
    ]
    out.set('settings', { hsts: words.join('; ') })
  },
})
