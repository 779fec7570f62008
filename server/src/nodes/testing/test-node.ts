/** A node from the node API's point of view, written from the contract alone: it shares no code with the node API. */
import '../../authority/reflect.ts'
import { generateKeyPairSync, type KeyObject, webcrypto } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { type RequestOptions, request } from 'node:https'
import { createInterface } from 'node:readline'
import { zstdDecompressSync } from 'node:zlib'
import type { EnrolReply } from '@breakwater/contract/edge/node-api.ts'
import * as x509 from '@peculiar/x509'

export type Answer = { status: number; body: Record<string, unknown> & { code?: number } }
/** With the length of the body as received, in bytes. */
export type SizedAnswer = Answer & { bytes: number }
type Keys = { key: string; cert: string }
const p256 = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const

/** One request on its own connection. */
export function exchange(
  server: string,
  authority: string,
  keys: Partial<Keys>,
  method: string,
  path: string,
  sent?: { body: unknown } | { bytes: Uint8Array; headers: Record<string, string> },
): Promise<SizedAnswer> {
  const json = sent && 'body' in sent ? { 'content-type': 'application/json' } : undefined
  const headers = sent && 'bytes' in sent ? sent.headers : json
  const options: RequestOptions = { method, ca: authority, ...keys, agent: false, ...(headers ? { headers } : {}) }
  return new Promise((resolve, reject) => {
    const outgoing = request(`${server}${path}`, options, async (message) => {
      const chunks: Buffer[] = []
      for await (const chunk of message as AsyncIterable<Buffer>) chunks.push(chunk)
      const bytes = Buffer.concat(chunks)
      const text = message.headers['content-encoding'] === 'zstd' ? zstdDecompressSync(bytes) : bytes
      resolve({ status: message.statusCode ?? 0, body: JSON.parse(text.toString()), bytes: bytes.length })
    })
    outgoing.on('error', reject)
    outgoing.end(sent && ('bytes' in sent ? sent.bytes : JSON.stringify(sent.body)))
  })
}

/** A certificate request, with a new key. The requested name has no effect. */
export async function certificateRequest(name = 'CN=1'): Promise<{ csr: string; key: string }> {
  const keys = await webcrypto.subtle.generateKey(p256, true, ['sign', 'verify'])
  const request = await x509.Pkcs10CertificateRequestGenerator.create({ name, keys, signingAlgorithm: p256 })
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey))
  const lines = der
    .toString('base64')
    .match(/.{1,64}/g)!
    .join('\n')
  return { csr: request.toString('pem'), key: `-----BEGIN PRIVATE KEY-----\n${lines}\n-----END PRIVATE KEY-----\n` }
}

export type TestNode = {
  reply: EnrolReply
  sealKey: KeyObject
  keys: Keys
  get(path: string): Promise<Answer>
  post(path: string, body: unknown): Promise<Answer>
  send(path: string, bytes: Uint8Array, headers: Record<string, string>): Promise<SizedAnswer>
  stream(): Promise<TestStream>
}
export type TestStream = { message: IncomingMessage; wakes: { wake: string; at: number }[]; closed: Promise<void> }

export type EnrolChanges = Partial<{ clock: number; csr: string; sealKey: string; schemas: number[]; name: string }>

/** What a machine sends to become a node. */
export async function enrolBody(token: string, changes: EnrolChanges = {}) {
  const { csr, key } = await certificateRequest()
  const seal = generateKeyPairSync('x25519')
  const raw = seal.publicKey.export({ type: 'spki', format: 'der' }).subarray(-32)
  const body = {
    token,
    name: 'machine',
    csr,
    sealKey: raw.toString('base64'),
    version: '0.1.0',
    schemas: [2],
    clock: Date.now(),
    ...changes,
  }
  return { body, key, sealKey: seal.privateKey }
}

/** Enrols, and returns a client with the node's certificate. Throws with the answer's code if it is rejected. */
export async function enrolNode(server: string, authority: string, token: string): Promise<TestNode> {
  const { body, key, sealKey } = await enrolBody(token)
  const answer = await exchange(server, authority, {}, 'POST', '/enrol', { body })
  if (answer.status !== 200) throw new Error(`refused: ${answer.status} ${answer.body.code}`)
  const reply = answer.body as unknown as EnrolReply
  const keys = { key, cert: reply.certificate }
  return {
    reply,
    sealKey,
    keys,
    get: (path) => exchange(server, authority, keys, 'GET', path),
    post: (path, body) => exchange(server, authority, keys, 'POST', path, { body }),
    send: (path, bytes, headers) => exchange(server, authority, keys, 'POST', path, { bytes, headers }),
    stream: () => openTestStream(server, authority, keys),
  }
}

function openTestStream(server: string, authority: string, keys: Keys): Promise<TestStream> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${server}/stream`, { ca: authority, ...keys, agent: false }, (message) => {
      const wakes: TestStream['wakes'] = []
      const closed = new Promise<void>((done) => message.once('close', done))
      // A stream that is cut off ends with an error; `closed` reports that.
      message.on('error', () => {})
      const lines = createInterface({ input: message })
      lines.on('error', () => {})
      lines.on('line', (line) => wakes.push({ ...JSON.parse(line), at: Date.now() }))
      resolve({ message, wakes, closed })
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}
