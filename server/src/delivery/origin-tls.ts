/** What nodes get of TLS towards a site's origins. */
import { X509Certificate } from 'node:crypto'
import { originTls } from '@breakwater/contract/delivery/origin-tls.ts'
import { fieldFault } from '../http/fault.ts'
import { siteSettings } from '../settings/site-settings.ts'
import { isForCalls, requireNoCalls } from './grpc.ts'
import { pemCertificates } from './pem.ts'

/** Certificates of authorities, as nodes read them. Throws a Fault at `ca` where one is none. */
function authorities(pem: string): string {
  const blocks = pemCertificates(pem, 'ca')
  if (blocks.some((block) => !new X509Certificate(block).ca)) throw fieldFault('ca', 'noAuthority')
  return `${blocks.join('\n')}\n`
}

export const originTlsSettings = siteSettings(originTls, {
  async check(value, db, site) {
    if (!isForCalls(value)) await requireNoCalls(db, site.id, 'verify')
    return value.ca === '' ? value : { ...value, ca: authorities(value.ca) }
  },

  // A node of before would send visitors' requests to whoever answers there.
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
