/** What an order sends: a new key and a certificate request for it. Also the certificate ids that authorities use. */
import '../../authority/reflect.ts'
import { type KeyObject, KeyObject as Keys, webcrypto, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import * as x509 from '@peculiar/x509'

const ecdsa = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

export async function makeRequest(names: string[]): Promise<{ key: KeyObject; csr: Uint8Array }> {
  const keys = await webcrypto.subtle.generateKey(ecdsa, true, ['sign', 'verify'])
  const alternatives = new x509.SubjectAlternativeNameExtension(
    names.map((value) => ({ type: isIP(value) ? 'ip' : 'dns', value })),
  )
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    keys,
    signingAlgorithm: ecdsa,
    extensions: [alternatives],
  })
  return { key: Keys.from(keys.privateKey), csr: new Uint8Array(request.rawData) }
}

/** The id of a certificate for renewal information (RFC 9773, 4.1); undefined if it has no authority key identifier. */
export function renewalId(chain: string): string | undefined {
  const { raw } = new X509Certificate(chain)
  const certificate = new x509.X509Certificate(raw)
  const { keyId } = certificate.getExtension(x509.AuthorityKeyIdentifierExtension) ?? {}
  if (!keyId) return undefined
  // As in DER: with the leading zero byte that keeps the number positive.
  const serial = certificate.serialNumber
  const even = serial.length % 2 === 0 ? serial : `0${serial}`
  const bytes = Buffer.from(Number.parseInt(even.slice(0, 2), 16) >= 0x80 ? `00${even}` : even, 'hex')
  return `${Buffer.from(keyId, 'hex').toString('base64url')}.${bytes.toString('base64url')}`
}
