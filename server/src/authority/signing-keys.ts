/** The Ed25519 keys that sign feeds and tasks. Only the process of the node API opens them. */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign as signBytes,
} from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Signature, SigningKey } from '@breakwater/contract/edge/node-api.ts'
import { readOrMakeKey } from '../secrets/vault.ts'

/** How long a new key is only announced, in replies signed with an older key, before it signs itself. */
const announceMs = 7 * 86_400_000
/** How long a key made by another process may remain unknown to this one. */
const rereadMs = 60_000

type HeldKey = SigningKey & { number: number; madeAt: number; privateKey: KeyObject }

export type Signer = {
  sign(text: string): Signature
  /** Every valid key. */
  keys(): SigningKey[]
  /** The valid keys except the one that signs. */
  others(): SigningKey[]
}

function makeKeyFile(madeAt: number): Buffer {
  const key = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'der' })
  return Buffer.from(JSON.stringify({ madeAt: new Date(madeAt).toISOString(), key: key.toString('base64') }))
}

function readKeyFile(dataFolder: string, number: number, now: number): HeldKey {
  const file = JSON.parse(readOrMakeKey(dataFolder, `signing-${number}.key`, () => makeKeyFile(now)).toString()) as {
    madeAt: string
    key: string
  }
  const privateKey = createPrivateKey({ key: Buffer.from(file.key, 'base64'), format: 'der', type: 'pkcs8' })
  const raw = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).subarray(-32)
  // The number alone would be ambiguous if a lost folder was recreated.
  const id = `${number}-${createHash('sha256').update(raw).digest('hex').slice(0, 8)}`
  return { id, publicKey: raw.toString('base64'), number, madeAt: Date.parse(file.madeAt), privateKey }
}

const numbersOf = (dataFolder: string): number[] =>
  readdirSync(join(dataFolder, 'keys'))
    .map((name) => Number(/^signing-(\d+)\.key$/.exec(name)?.[1]))
    .filter((number) => number > 0)
    .sort((a, b) => a - b)

function readKeys(dataFolder: string, now: number): HeldKey[] {
  const numbers = numbersOf(dataFolder)
  if (numbers.length === 0) numbers.push(1)
  return numbers.map((number) => readKeyFile(dataFolder, number, now))
}

/**
 * Creates the next key. It is announced from now on, and signs once every node has had time to learn of it. Returns its
 * id.
 */
export function addSigningKey(dataFolder: string, now: number = Date.now()): string {
  return readKeyFile(dataFolder, (numbersOf(dataFolder).at(-1) ?? 0) + 1, now).id
}

/** The newest key that every node has had time to learn of; an installation's first key signs immediately. */
function pickSigning(keys: HeldKey[], now: number): HeldKey {
  return keys.findLast((key) => now - key.madeAt >= announceMs) ?? keys[0]!
}

/** Opens an installation's keys, creating the first one if needed. `clock` is in ms. */
export function openSigner(dataFolder: string, clock: () => number = Date.now): Signer {
  let readAt = clock()
  let held = readKeys(dataFolder, readAt)
  const keys = (): HeldKey[] => {
    if (clock() - readAt > rereadMs) {
      readAt = clock()
      held = readKeys(dataFolder, readAt)
    }
    return held
  }
  const announced = ({ id, publicKey }: HeldKey): SigningKey => ({ id, publicKey })
  return {
    sign(text) {
      const key = pickSigning(keys(), clock())
      return { keyId: key.id, value: signBytes(null, Buffer.from(text), key.privateKey).toString('base64') }
    },
    keys: () => keys().map(announced),
    others() {
      const signing = pickSigning(keys(), clock())
      return keys()
        .filter((key) => key !== signing)
        .map(announced)
    },
  }
}

/**
 * Creates the next key. It is announced from now on and signs after the announcement period; old files may be deleted
 * then.
 */
export function rotateSigningKey(dataFolder: string, clock: () => number = Date.now): string {
  const next = Math.max(...readKeys(dataFolder, clock()).map((key) => key.number)) + 1
  return readKeyFile(dataFolder, next, clock()).id
}
