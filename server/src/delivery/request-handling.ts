/** How the edge reads what a visitor asks for, and which of a visitor's headers answers may depend on. */
import { requestHandling } from '@breakwater/contract/delivery/request-handling.ts'
import { siteSettings } from '../settings/site-settings.ts'

export const requestHandlingSettings = siteSettings(requestHandling, {
  render: ({ keyedHeaders, ...policies }, out) =>
    out.set('settings', { ...policies, keyedHeaders: keyedHeaders.map((name) => name.toLowerCase()).sort() }),
})
