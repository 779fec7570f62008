import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { selfSigned } from './der.ts'

test('a self-signed certificate is one that Node reads and that fits its key', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const certificate = new X509Certificate(selfSigned(privateKey, 'breakwater default', 20))
  expect(certificate.checkPrivateKey(privateKey)).toBe(true)
  expect(certificate.verify(certificate.publicKey)).toBe(true)
  expect(certificate.subject).toBe('CN=breakwater default')
  expect(new Date(certificate.validTo).getFullYear() - new Date(certificate.validFrom).getFullYear()).toBe(20)
})
