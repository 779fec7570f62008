/** Whether responses say how the cache treated them, and to which clients. */
import { cacheStatus } from '@breakwater/contract/delivery/cache-status.ts'
import { siteSettings } from '../settings/site-settings.ts'

export const cacheStatusSettings = siteSettings(cacheStatus, {
  render({ enable, networks }, out) {
    if (enable) out.set('settings', { cacheStatus: { networks } })
  },
})
