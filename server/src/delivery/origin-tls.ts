/** What nodes get of a site's settings for TLS to its origins. */
import { originTls } from '@breakwater/contract/delivery/origin-tls.ts'
import { pemAuthorities, pemText } from '../settings/pem.ts'
import { siteSettings } from '../settings/site-settings.ts'
import { isForCalls, requireNoCalls } from './grpc.ts'

export const originTlsSettings = siteSettings(originTls, {
  async check(value, db, site) {
    if (!isForCalls(value)) await requireNoCalls(db, site.id, 'verify')
    return value.ca === '' ? value : { ...value, ca: pemText(pemAuthorities(value.ca, 'ca')) }
  },

  // An older node would send visitors' requests to the origin without verifying it.
  requires: ({ verify }) => (verify === 'off' ? [] : ['originTls']),

  render({ verify, ca, pins, serverName, host }, out) {
    if (host !== '') out.set('settings', { originHost: host })
    if (verify === 'off' && serverName === '') return
    out.set('settings', {
      originTls: {
        verify,
        ...(verify === 'ca' && { ca }),
        ...(verify === 'pin' && { pins }),
        ...(serverName !== '' && { serverName }),
      },
    })
  },
})
