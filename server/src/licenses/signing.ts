/** Licences as signed text: writing one, and reading one signed by a trusted key. */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'
import { LicenseDocument } from '@breakwater/contract/licenses/document.ts'
import { Fault } from '../http/fault.ts'
import { readOrMakeKey } from '../secrets/vault.ts'

const format = 'bwl1'
const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex')
/** The signed bytes start with this prefix, and nothing else that is signed here does. */
const signed = (payload: Buffer) => Buffer.concat([Buffer.from('breakwater license\n'), payload])

/** The id of a raw Ed25519 public key in a licence. */
export const keyIdOf = (publicKey: Buffer): string => createHash('sha256').update(publicKey).digest('hex').slice(0, 16)

const rawOf = (key: KeyObject): Buffer => createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)

export type Issuer = {
  /** The raw key, 32 bytes. */
  publicKey: Buffer
  write(license: Omit<LicenseDocument, 'signedBy' | 'product'>): string
}

/** The vendor's own key pair, stored in the data folder and generated at first use. */
export function openIssuer(dataFolder: string): Issuer {
  const pem = readOrMakeKey(dataFolder, 'license.key', () =>
    Buffer.from(generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' })),
  )
  const privateKey = createPrivateKey(pem)
  const publicKey = rawOf(privateKey)
  return {
    publicKey,
    write(license) {
      const document = LicenseDocument.parse({ ...license, product: 'breakwater', signedBy: keyIdOf(publicKey) })
      const payload = Buffer.from(JSON.stringify(document))
      return [
        format,
        payload.toString('base64url'),
        sign(null, signed(payload), privateKey).toString('base64url'),
      ].join('.')
    },
  }
}

/**
 * Public keys as they stand in the environment: base64 of 32 raw bytes each, separated by commas or white space. Throws
 * on anything else.
 */
export function trustedKeys(text: string): Buffer[] {
  return text
    .split(/[\s,]+/)
    .filter((word) => word !== '')
    .map((word) => {
      const key = Buffer.from(word, 'base64')
      if (key.length !== 32) throw new Error('BREAKWATER_LICENSE_KEYS: a key is 32 bytes in base64')
      return key
    })
}

const unparsable = () => new Fault('parameterError', 'invalid license key')

/**
 * Returns the content of a licence after verifying its signature and that it is for this installation. Throws 101003
 * with extra `invalid license key` if it cannot be parsed, and 900001 if no trusted key signed it or it is for another
 * installation. The caller checks whether it has expired.
 */
export function readLicense(text: string, trusted: readonly Buffer[], installation: string): LicenseDocument {
  const { payload, signature, document } = parse(text)
  const key = trusted.find((candidate) => keyIdOf(candidate) === document.signedBy)
  const spki = key && createPublicKey({ key: Buffer.concat([spkiPrefix, key]), format: 'der', type: 'spki' })
  if (!spki || !verify(null, signed(payload), spki, signature)) throw new Fault('illegalLicense')
  if (document.installation !== null && document.installation !== installation) throw new Fault('illegalLicense')
  return document
}

function parse(text: string) {
  const [head, middle = '', tail = '', ...rest] = text.split('.')
  const [payload, signature] = [Buffer.from(middle, 'base64url'), Buffer.from(tail, 'base64url')]
  // The decoder is lenient; the text must be exactly what the encoder writes.
  const isOwnText = payload.toString('base64url') === middle && signature.toString('base64url') === tail
  if (head !== format || rest.length > 0 || !isOwnText || signature.length !== 64) throw unparsable()
  let value: unknown
  try {
    value = JSON.parse(payload.toString())
  } catch {
    throw unparsable()
  }
  const document = LicenseDocument.safeParse(value)
  // A duplicate key or another key order would be the same licence in another text.
  if (!document.success || JSON.stringify(document.data) !== payload.toString()) throw unparsable()
  return { payload, signature, document: document.data }
}

/** The serial of a licence that this issuer signed. Does not check whether the licence is still valid. */
export function serialOf(text: string, issuer: Pick<Issuer, 'publicKey'>): string {
  const { payload, signature, document } = parse(text)
  const key = createPublicKey({ key: Buffer.concat([spkiPrefix, issuer.publicKey]), format: 'der', type: 'spki' })
  if (!verify(null, signed(payload), key, signature)) throw new Fault('illegalLicense')
  return document.serial
}
