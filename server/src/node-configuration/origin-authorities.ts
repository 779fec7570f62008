/** The certificate authorities that an operator lets the nodes of a zone trust for origins. */
import { originAuthorities, originAuthoritiesMax } from '@breakwater/contract/nodes/origin-authorities.ts'
import { fieldFault } from '../http/fault.ts'
import type { Feature } from '../http/implement.ts'
import { type PemCertificate, pemAuthorities, pemCertificates, pemText } from '../settings/pem.ts'
import { zoneSettingsFeature } from './zone-settings.ts'

const field = 'certificates'

export function originAuthoritiesFeature(): Feature {
  return zoneSettingsFeature(originAuthorities, {
    check({ certificates }) {
      if (certificates === '') return { certificates }
      const found = new Map(pemAuthorities(certificates, field).map((one) => [one.certificate.fingerprint256, one]))
      if (found.size > originAuthoritiesMax) throw fieldFault(field, 'itemsExceedLimit')
      const now = Date.now()
      if ([...found.values()].some(({ certificate }) => Date.parse(certificate.validTo) <= now))
        throw fieldFault(field, 'expiredCertificate')
      return { certificates: pemText([...found.values()]) }
    },
    show: ({ certificates }) => ({
      certificates,
      authorities: certificates === '' ? [] : pemCertificates(certificates, field).map(describe),
    }),
  })
}

const describe = ({ certificate: { subject, validTo, fingerprint256 } }: PemCertificate) => ({
  subject: (subject ?? '').replaceAll('\n', ', '),
  expired: new Date(validTo).toISOString(),
  fingerprint: fingerprint256.replaceAll(':', '').toLowerCase(),
})
