/** Certificates for tests: an authority with an intermediate, and leaf certificates with the requested properties. */
import '../../authority/reflect.ts'
import { createPrivateKey, KeyObject, webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import { randomSerial } from '../../authority/certificates.ts'

export type Wanted = {
  names?: string[]
  kind?: 'ecdsa' | 'rsa'
  bits?: number
  /** Days from now. */
  from?: number
  to?: number
  hash?: 'SHA-256' | 'SHA-1'
  isAuthority?: boolean
  mustStaple?: boolean
}
export type Made = { certificate: string; privateKey: string }

const dayMs = 86_400_000
const days = (count: number) => new Date(Date.now() + count * dayMs)
const ecdsa = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

const keysOf = ({ kind = 'ecdsa', bits = 2048 }: Wanted) =>
  webcrypto.subtle.generateKey(
    kind === 'ecdsa'
      ? ecdsa
      : { name: 'RSASSA-PKCS1-v1_5', modulusLength: bits, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
    true,
    ['sign', 'verify'],
  ) as Promise<webcrypto.CryptoKeyPair>

export type Authority = {
  /** Root and intermediate in PEM. */
  root: string
  intermediate: string
  make(wanted?: Wanted): Promise<Made>
}

export async function makeAuthority(): Promise<Authority> {
  const [rootKeys, keys] = [await keysOf({}), await keysOf({})]
  const authority = [new x509.BasicConstraintsExtension(true, undefined, true)]
  const validity = { notBefore: days(-400), notAfter: days(3000) }
  const root = await x509.X509CertificateGenerator.createSelfSigned({
    ...{ serialNumber: randomSerial(), name: 'O=Test, CN=Test root', keys: rootKeys, signingAlgorithm: ecdsa },
    ...{ ...validity, extensions: authority },
  })
  const intermediate = await x509.X509CertificateGenerator.create({
    ...{ serialNumber: randomSerial(), subject: 'O=Test, CN=Test R1', issuer: root.subject, publicKey: keys.publicKey },
    ...{ ...validity, extensions: authority, signingKey: rootKeys.privateKey, signingAlgorithm: ecdsa },
  })
  return {
    root: root.toString('pem'),
    intermediate: intermediate.toString('pem'),
    async make(wanted = {}) {
      const own = await keysOf(wanted)
      const { names = ['www.example.com'], from = -1, to = 90, hash = 'SHA-256' } = wanted
      const extensions: x509.Extension[] = [new x509.BasicConstraintsExtension(wanted.isAuthority ?? false)]
      if (names.length > 0)
        extensions.push(new x509.SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns', value }))))
      // status_request (5) in a list of features.
      if (wanted.mustStaple)
        extensions.push(new x509.Extension('1.3.6.1.5.5.7.1.24', false, new Uint8Array([48, 3, 2, 1, 5])))
      const certificate = await x509.X509CertificateGenerator.create({
        ...{ serialNumber: randomSerial(), subject: `CN=${names[0] ?? 'nothing'}`, issuer: intermediate.subject },
        ...{ publicKey: own.publicKey, notBefore: days(from), notAfter: days(to), extensions },
        ...{ signingKey: keys.privateKey, signingAlgorithm: { ...ecdsa, hash } },
      })
      return {
        certificate: certificate.toString('pem'),
        privateKey: KeyObject.from(own.privateKey).export({ type: 'pkcs8', format: 'pem' }).toString(),
      }
    },
  }
}

/** The key, encrypted with a passphrase. */
export const encrypted = (privateKey: string): string =>
  createPrivateKey(privateKey)
    .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' })
    .toString()
