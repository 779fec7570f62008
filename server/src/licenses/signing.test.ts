import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { unlimited } from '@breakwater/contract/licenses/document.ts'
import { expect, test } from 'vitest'
import { Fault } from '../http/fault.ts'
import { openIssuer, readLicense, trustedKeys } from './signing.ts'

const newIssuer = () => {
  const folder = mkdtempSync(join(tmpdir(), 'breakwater-issuer-'))
  mkdirSync(join(folder, 'keys'))
  return openIssuer(folder)
}
const issuer = newIssuer()
const here = '01234567-89abcdef-01234567-89abcdef'
const document = {
  serial: '6f0d2a3e-7b7c-4c58-9a7e-2f7a51c7f3a1',
  kind: 'offline',
  type: 'standard',
  holder: 'Harbour',
  limits: { ...unlimited, nodes: 3 },
  issuedAt: '2026-11-01T00:00:00.000Z',
  expiresAt: '2027-11-01T00:00:00.000Z',
  installation: here,
  revokedAt: null,
} as const
const text = issuer.write(document)
const read = (key: string, trusted = [issuer.publicKey], installation = here) => readLicense(key, trusted, installation)

function refusal(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    if (error instanceof Fault) return error.reason === 'parameterError' ? String(error.extra) : error.reason
    throw error
  }
  return 'accepted'
}

test('reads back what was signed', () => {
  expect(read(text)).toMatchObject(document)
  expect(read(issuer.write({ ...document, installation: null }), undefined, 'another')).toMatchObject({
    holder: 'Harbour',
  })
})

test('a licence from an untrusted vendor, or for another installation, is illegal', () => {
  expect(refusal(() => read(newIssuer().write(document)))).toBe('illegalLicense')
  expect(refusal(() => read(text, []))).toBe('illegalLicense')
  expect(refusal(() => read(text, undefined, '11111111-89abcdef-01234567-89abcdef'))).toBe('illegalLicense')
})

const [head, payload = '', signature = ''] = text.split('.')
const recoded = (change: (json: string) => string) =>
  [head, Buffer.from(change(Buffer.from(payload, 'base64url').toString())).toString('base64url'), signature].join('.')

test('changing one value breaks the signature', () => {
  expect(refusal(() => read(recoded((json) => json.replace('"nodes":3', '"nodes":9'))))).toBe('illegalLicense')
  expect(refusal(() => read(recoded((json) => json.replace('2027-11', '2029-11'))))).toBe('illegalLicense')
  const other = Buffer.from(signature, 'base64url')
  other[0]! ^= 1
  expect(refusal(() => read([head, payload, other.toString('base64url')].join('.')))).toBe('illegalLicense')
})

test.each([
  ['nothing', ''],
  ['another format', text.replace('bwl1', 'bwl2')],
  ['a part more', `${text}.x`],
  ['trailing bytes', `${text}AA`],
  ['padding', `${text}==`],
  ['white space within', text.replace('.', ' .')],
  ['a short signature', [head, payload, 'AAAA'].join('.')],
  ['no JSON', [head, Buffer.from('nonsense').toString('base64url'), signature].join('.')],
  ['a key twice', recoded((json) => json.replace('{', '{"product":"breakwater",'))],
  ['a key more', recoded((json) => json.replace('{', '{"admin":true,'))],
  ['blanks in the JSON', recoded((json) => json.replace(':', ': '))],
])('%s is not a licence', (_name, key) => {
  expect(refusal(() => read(key))).toBe('invalid license key')
})

test('trusted keys must be 32 bytes each, or the process does not start', () => {
  const key = issuer.publicKey.toString('base64')
  expect(trustedKeys(` ${key}, ${key}`)).toEqual([issuer.publicKey, issuer.publicKey])
  expect(() => trustedKeys('c2hvcnQ=')).toThrow('BREAKWATER_LICENSE_KEYS')
})
