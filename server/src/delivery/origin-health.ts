/** What nodes get of the health checks of a site's origins. */
import { originHealth } from '@breakwater/contract/delivery/origin-health.ts'
import { siteSettings } from '../settings/site-settings.ts'

export const originHealthSettings = siteSettings(originHealth, {
  render({ type, path, codes, ...numbers }, out) {
    if (type === 'off') return
    out.set('settings', { originCheck: { type, ...(type === 'http' && { path, codes }), ...numbers } })
  },
})
