/** Signed rule sets: the reported signer, and what is rejected. Verified by the real gpgv. */
import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeTestServer, type TestServer } from '../testing/server.ts'
import {
  archive,
  foreignSignature,
  formerKey,
  formerSignature,
  publisherKey,
  signature,
} from '../waf/testing/signed-rule-set.ts'

let server: TestServer
let operator: TokenSet
const path = '/client/setting/wafPublishers'
const fingerprint = '43827FD3EA7BADE0FE435921A630CFDFFC12062B'

beforeAll(async () => {
  server = await makeTestServer()
  operator = await server.openSession('client', 'operator')
})
afterAll(() => server?.stop())

async function upload(signed?: string | Buffer, file: Buffer = archive) {
  const form = new FormData()
  form.set('file', new File([new Uint8Array(file)], 'rules.tar.gz'))
  if (signed !== undefined) form.set('signature', new File([signed as string], 'rules.tar.gz.asc'))
  const request = new Request('http://local', { method: 'POST', body: form })
  const reply = await server.app.inject({
    method: 'POST',
    url: '/api/v1/client/wafRuleSets',
    headers: { authorization: `Bearer ${operator.accessToken}`, 'content-type': request.headers.get('content-type')! },
    payload: Buffer.from(await request.arrayBuffer()),
  })
  return { status: reply.statusCode, body: reply.json() }
}
const reasonOf = async (reply: Promise<{ body: { extra?: unknown } }>) => (await reply).body.extra
const trust = (body: object) => server.call('PUT', path, { as: operator, body })
const listed = async () => (await server.call('GET', '/client/wafRuleSets', { as: operator })).body.data

beforeEach(async () => {
  const ids = (await listed()).map(({ id }: { id: number }) => id)
  if (ids.length > 0) await server.call('DELETE', '/client/wafRuleSets', { as: operator, body: { ids } })
})

test('keys are shown by their fingerprints; an invalid public key is rejected', async () => {
  for (const keys of ['x', publisherKey.slice(0, -60), `${publisherKey}x`, publisherKey.replace(/^mDME/m, 'mDMF')])
    expect(await reasonOf(trust({ keys, required: false }))).toEqual([{ field: 'keys', reason: 'wrongFormat' }])
  expect(await reasonOf(trust({ keys: '', required: true }))).toEqual([{ field: 'keys', reason: 'required' }])
  const many = Array.from({ length: 21 }, () => publisherKey).join('\n')
  expect(await reasonOf(trust({ keys: many, required: true }))).toEqual([{ field: 'keys', reason: 'itemsExceedLimit' }])
  const twice = { keys: `${publisherKey}\n${publisherKey}`, required: false }
  expect(await reasonOf(trust(twice))).toEqual([{ field: 'keys', reason: 'duplicatedData' }])
  expect((await trust({ keys: `${publisherKey}\n${formerKey}`, required: false })).status).toBe(200)
  const { publishers } = (await server.call('GET', path, { as: operator })).body.data
  expect(publishers).toEqual([
    { name: 'Rule Publisher <rules@example.com>', fingerprint },
    { name: 'Former Publisher <former@example.com>', fingerprint: expect.stringMatching(/^[0-9A-F]{40}$/) },
  ])
})

test('a trusted signer is shown with the rule set; without a signature it has no signer', async () => {
  expect((await trust({ keys: publisherKey, required: false })).status).toBe(200)
  expect((await upload(signature)).body.data.problems).toEqual([])
  expect(await listed()).toMatchObject([
    { name: 'Signed rules 1.0', signer: { name: 'Rule Publisher <rules@example.com>', fingerprint } },
  ])
})

test('an invalid, expired or untrusted signature, or one of another file, is rejected; nothing is stored', async () => {
  expect((await trust({ keys: `${publisherKey}\n${formerKey}`, required: false })).status).toBe(200)
  const refused = (reason: string) => [{ field: 'signature', reason }]
  expect(await reasonOf(upload(signature, Buffer.concat([archive, Buffer.from('x')])))).toEqual(
    refused('wrongSignature'),
  )
  expect(await reasonOf(upload(foreignSignature))).toEqual(refused('untrustedSignature'))
  expect(await reasonOf(upload(formerSignature))).toEqual(refused('expiredSignature'))
  expect(await reasonOf(upload('no signature'))).toEqual(refused('wrongFormat'))
  expect(await reasonOf(upload(Buffer.alloc(70_000)))).toEqual(refused('fileTooLarge'))
  expect(await listed()).toEqual([])
  expect((await upload()).body.data.problems).toEqual([])
  expect(await listed()).toMatchObject([{ signer: null }])
})

test('if a signature is required, a rule set without one is rejected', async () => {
  expect((await trust({ keys: publisherKey, required: true })).status).toBe(200)
  expect(await reasonOf(upload())).toEqual([{ field: 'signature', reason: 'required' }])
  expect((await upload(signature)).status).toBe(200)
  expect((await server.call('DELETE', path, { as: operator })).status).toBe(200)
  expect(await reasonOf(upload(signature))).toEqual([{ field: 'signature', reason: 'untrustedSignature' }])
})
