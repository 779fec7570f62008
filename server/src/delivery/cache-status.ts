/** Whether answers say what the cache made of them, and to whom. */
import { cacheStatus } from '@breakwater/contract/delivery/cache-status.ts'
import { siteSettings } from '../settings/site-settings.ts'

export const cacheStatusSettings = siteSettings(cacheStatus, {
  render({ enable, networks }, out) {
    if (enable) out.set('settings', { cacheStatus: { networks } })
  },
})
