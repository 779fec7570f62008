/** Which responses of a site the edge compresses. */
import { compression } from '@breakwater/contract/delivery/compression.ts'
import { siteSettings } from '../settings/site-settings.ts'

export const compressionSettings = siteSettings(compression, {
  render: ({ enable, types, minLength, level }, out) => {
    if (enable) out.set('settings', { compression: { types, minLength, level } })
  },
})
