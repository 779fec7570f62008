/** How long the edge waits for a site's origins. */
import { originTimeouts } from '@breakwater/contract/delivery/origin-timeouts.ts'
import { siteSettings } from '../settings/site-settings.ts'

export const originTimeoutsSettings = siteSettings(originTimeouts, {
  render: ({ connect, firstByte, idle, websocketIdle }, out) =>
    out.set('settings', {
      originConnectTimeoutMs: connect * 1000,
      originFirstByteTimeoutMs: firstByte * 1000,
      originIdleTimeoutMs: idle * 1000,
      websocketIdleTimeoutMs: websocketIdle * 1000,
    }),
})
