/** When certificates are renewed, the domain under which authorities count, and the certificate ids they use. */
import '../../authority/reflect.ts'
import { webcrypto } from 'node:crypto'
import { AuthorityKeyIdentifierExtension, X509CertificateGenerator } from '@peculiar/x509'
import { expect, test } from 'vitest'
import { registeredDomain } from './budgets.ts'
import { afterFailure, Refused } from './refused.ts'
import { renewalId } from './request.ts'
import { askAgainMs, renewalAt, retryAfter } from './timing.ts'

const dayMs = 86_400_000
const life = (days: number) => ({ notBefore: new Date(0), notAfter: new Date(days * dayMs) })

test('renewal is after two thirds of the lifetime, half of a short one, or when the authority suggests', () => {
  expect(renewalAt(life(90), undefined)).toBe(60 * dayMs)
  expect(renewalAt(life(45), undefined)).toBe(30 * dayMs)
  expect(renewalAt(life(6), undefined)).toBe(3 * dayMs)
  expect(renewalAt(life(90), { start: 1000, end: 3000 }, 0.5)).toBe(2000)
})

test('waiting for a limit does not count as a failure', () => {
  expect(afterFailure(new Refused('budgetSpent', 3_600_000), 2)).toEqual({ attempts: 2, waitMs: 3_600_000 })
  expect(afterFailure(new Refused('notProven'), 2).attempts).toBe(3)
})

test('an authority is asked again when it says, but within a minute and a day', () => {
  expect([undefined, 21_600, 3600, 0, 10_000_000].map(askAgainMs)).toEqual(
    [6, 6, 1, 1 / 60, 24].map((hours) => hours * 3_600_000),
  )
})

test('repeated failures are retried with growing delays, and simultaneous failures are spread out', () => {
  const minutes = [1, 2, 3, 4, 5, 6, 60].map((failures) => retryAfter(failures, 0) / 60_000)
  expect(minutes).toEqual([1, 5, 30, 120, 360, 1440, 1440])
  expect(retryAfter(1, 1)).toBe(72_000)
})

test.each([
  ['a.b.example.com', 'example.com'],
  ['example.com', 'example.com'],
  ['shop.example.co.uk', 'example.co.uk'],
  ['www.example.com.tw', 'example.com.tw'],
  ['www.example.de', 'example.de'],
])('%s counts under %s', (name, registered) => {
  expect(registeredDomain(name)).toBe(registered)
})

test('a certificate’s id combines its issuer’s key and its serial, as in the example of RFC 9773', async () => {
  const ecdsa = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
  const keys = (await webcrypto.subtle.generateKey(ecdsa, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair
  const certificate = await X509CertificateGenerator.createSelfSigned({
    ...{ serialNumber: '0087654321', name: 'CN=example', keys, signingAlgorithm: ecdsa },
    extensions: [new AuthorityKeyIdentifierExtension('69885b6b87464041e1b37b847ba0ae2cde01c8d4')],
  })
  expect(renewalId(certificate.toString('pem'))).toBe('aYhba4dGQEHhs3uEe6CuLN4ByNQ.AIdlQyE')
})
