/** The installation's own certificate authority, in its data folder. Created on first use. */
import { createHash, generateKeyPairSync } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readOrMakeKey } from '../secrets/vault.ts'
import {
  importKey,
  issueNode,
  issueServer,
  makeRoot,
  makeRootCertificate,
  randomSerial,
  requestedKey,
} from './certificates.ts'
import { openSigner, type Signer } from './signing-keys.ts'

export type Authority = {
  /** PEM of the root certificate that nodes trust. */
  certificate: string
  signer: Signer
  /** Checks a node's certificate request. Returns undefined if it does not prove possession of a P-256 key. */
  checkRequest(csr: string): Promise<NodeRequest | undefined>
  /** Issues a certificate with a new key for a TLS server. */
  issueServer(names: string[]): Promise<{ key: string; certificate: string }>
}

/**
 * A request that has proven possession of its key. `keyHash` is the SHA-256 of the key's SPKI, `serial` identifies the
 * node.
 */
export type NodeRequest = { serial: string; keyHash: Buffer; issue(nodeId: number): Promise<string> }

const newKey = (): Buffer =>
  Buffer.from(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }))

/** Returns the root certificate, which is not secret. Creates the authority if there is none. */
export async function authorityCertificate(dataFolder: string): Promise<string> {
  const path = join(dataFolder, 'keys', 'authority.pem')
  if (existsSync(path)) return readFileSync(path, 'utf8')
  const keys = await importKey(readOrMakeKey(dataFolder, 'authority.key', newKey))
  const draft = Buffer.from(`${await makeRootCertificate(keys)}\n`)
  // Two processes that start together draft different certificates for the same key; both read the one written first.
  return readOrMakeKey(dataFolder, 'authority.pem', () => draft).toString()
}

/** Opens the authority with its keys. Only for the process of the node API. */
export async function openAuthority(dataFolder: string): Promise<Authority> {
  const certificate = await authorityCertificate(dataFolder)
  const root = makeRoot(certificate, await importKey(readOrMakeKey(dataFolder, 'authority.key', newKey)))
  return {
    certificate,
    signer: openSigner(dataFolder),
    async checkRequest(csr) {
      const key = await requestedKey(csr)
      const serial = randomSerial()
      if (!key) return undefined
      const keyHash = createHash('sha256').update(Buffer.from(key.rawData)).digest()
      return { serial, keyHash, issue: (nodeId) => issueNode(root, key, nodeId, serial) }
    },
    async issueServer(names) {
      const key = newKey().toString()
      return { key, certificate: await issueServer(root, (await importKey(key)).publicKey, names) }
    },
  }
}
