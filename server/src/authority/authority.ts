/** The installation's own certificate authority, in its data folder, made at first use. */
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
  /** PEM of the root that nodes trust. */
  certificate: string
  signer: Signer
  /** A node's request for a certificate, or nothing where it proves no P-256 key. */
  checkRequest(csr: string): Promise<NodeRequest | undefined>
  /** A new key and certificate for a TLS server. */
  issueServer(names: string[]): Promise<{ key: string; certificate: string }>
}

/** A request that has proven its key, here as the SHA-256 of its SPKI. `serial` is what the node will be known by. */
export type NodeRequest = { serial: string; keyHash: Buffer; issue(nodeId: number): Promise<string> }

const newKey = (): Buffer =>
  Buffer.from(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }))

/** The root's certificate, which is no secret. Makes the authority where there is none. */
export async function authorityCertificate(dataFolder: string): Promise<string> {
  const path = join(dataFolder, 'keys', 'authority.pem')
  if (existsSync(path)) return readFileSync(path, 'utf8')
  const keys = await importKey(readOrMakeKey(dataFolder, 'authority.key', newKey))
  const draft = Buffer.from(`${await makeRootCertificate(keys)}\n`)
  // Two processes that start together draft different certificates of the same key; both read the one that was first.
  return readOrMakeKey(dataFolder, 'authority.pem', () => draft).toString()
}

/** Opens the authority with its keys: for the node API's process alone. */
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
