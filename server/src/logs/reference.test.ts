import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { groupOfReference, openReference } from './reference.ts'
import { sealReference } from './testing/seal-reference.ts'

const key = randomBytes(32)
const told = {
  node: 12,
  site: 70_000,
  revision: 513,
  guard: 'denyRules',
  rule: 4_000_000_000,
  cause: 903,
  time: 1_795_271_700,
}
const sealed = sealReference(told, 7, key)

test('a reference sealed by a node is read back, and names the group whose key it needs', () => {
  expect(sealed).toHaveLength(55)
  expect(groupOfReference(sealed)).toBe(7)
  expect(openReference(sealed, key)).toMatchObject(told)
})

test('a flipped bit anywhere makes it unreadable', () => {
  const bytes = Buffer.from(sealed, 'base64url')
  for (let bit = 0; bit < bytes.length * 8; bit++) {
    const forged = Buffer.from(bytes)
    forged[bit >> 3]! ^= 1 << (bit & 7)
    expect(openReference(forged.toString('base64url'), key), `bit ${bit}`).toBeUndefined()
  }
})

test('another group’s key does not open it', () => {
  expect(openReference(sealed, randomBytes(32))).toBeUndefined()
  expect(openReference(sealReference(told, 8, key), key)).toMatchObject(told)
  const moved = Buffer.from(sealed, 'base64url')
  moved.writeUIntBE(8, 1, 3)
  expect(openReference(moved.toString('base64url'), key)).toBeUndefined()
})

test('other text is not a reference', () => {
  for (const text of [
    '',
    'x',
    sealed.slice(1),
    `${sealed}A`,
    `${sealed.slice(0, -1)}+`,
    '0123456789abcdef0123456789abcdef',
  ])
    expect(groupOfReference(text)).toBeUndefined()
})
