import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import { expect, test } from 'vitest'
import { selfSigned } from './der.ts'

test('Node can read a self-signed certificate, and it matches its key', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const certificate = new X509Certificate(selfSigned(privateKey, 'breakwater default', 20))
  expect(certificate.checkPrivateKey(privateKey)).toBe(true)
  expect(certificate.verify(certificate.publicKey)).toBe(true)
  expect(certificate.subject).toBe('CN=breakwater default')
  expect(new Date(certificate.validTo).getFullYear() - new Date(certificate.validFrom).getFullYear()).toBe(20)
})
