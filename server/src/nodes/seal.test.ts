import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { isSealKey, open, seal } from './seal.ts'

const pair = () => {
  const { publicKey, privateKey } = generateKeyPairSync('x25519')
  return { raw: publicKey.export({ type: 'spki', format: 'der' }).subarray(-32), privateKey }
}
const secret = Buffer.from('a private key, for example')

test('what is sealed to a node opens with its key and its context, and with nothing else', () => {
  const [node, other] = [pair(), pair()]
  const sealed = seal(secret, node.raw, '7/originCredential@1')
  expect(open(sealed, node.privateKey, '7/originCredential@1')).toEqual(secret)
  expect(() => open(sealed, other.privateKey, '7/originCredential@1')).toThrow()
  expect(() => open(sealed, node.privateKey, '8/originCredential@1')).toThrow()
})

test('it does not open after any bit was changed', () => {
  const node = pair()
  const sealed = seal(secret, node.raw, '7/x@1')
  for (let i = 0; i < sealed.length; i += 1) {
    const changed = Buffer.from(sealed)
    // X25519 ignores the highest bit of a key, but the salt contains the bytes as they came.
    changed[i]! ^= 0x80
    expect(() => open(changed, node.privateKey, '7/x@1')).toThrow()
  }
})

test('the same secret is sealed to different bytes each time', () => {
  const node = pair()
  expect(seal(secret, node.raw, 'x')).not.toEqual(seal(secret, node.raw, 'x'))
})

test('bytes that are not a key, or a key that gives everybody the same secret, are rejected', () => {
  expect(isSealKey(pair().raw)).toBe(true)
  expect(isSealKey(Buffer.alloc(32))).toBe(false)
  expect(isSealKey(Buffer.concat([Buffer.from([1]), Buffer.alloc(31)]))).toBe(false)
  expect(isSealKey(Buffer.alloc(31, 9))).toBe(false)
})
