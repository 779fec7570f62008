/** How the edge normalizes a visitor's request, and which of its headers responses may vary on. */
import { requestHandling } from '@breakwater/contract/delivery/request-handling.ts'
import { siteSettings } from '../settings/site-settings.ts'

export const requestHandlingSettings = siteSettings(requestHandling, {
  render: ({ keyedHeaders, ...policies }, out) =>
    out.set('settings', { ...policies, keyedHeaders: keyedHeaders.map((name) => name.toLowerCase()).sort() }),
})
