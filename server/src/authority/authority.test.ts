import { X509Certificate } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { authorityCertificate, openAuthority } from './authority.ts'
import { declaredNames, publicServerName, serverNames } from './server-names.ts'
import { openSigner, rotateSigningKey } from './signing-keys.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'breakwater-authority-'))
  mkdirSync(join(folder, 'keys'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('processes that open an installation at the same time agree on its authority and its keys', async () => {
  const opened = await Promise.all(Array.from({ length: 5 }, () => openAuthority(folder)))
  expect(new Set(opened.map(({ certificate }) => certificate)).size).toBe(1)
  expect(new Set(opened.map(({ signer }) => JSON.stringify(signer.keys()))).size).toBe(1)
  expect(await authorityCertificate(folder)).toBe(opened[0]!.certificate)
})

test('keys are readable by their owner only, and are found again after a restart', async () => {
  const { certificate } = await openAuthority(folder)
  const names = readdirSync(join(folder, 'keys')).toSorted()
  expect(names).toEqual(['authority.key', 'authority.pem', 'signing-1.key'])
  for (const name of names) expect(statSync(join(folder, 'keys', name)).mode & 0o077).toBe(0)
  expect((await openAuthority(folder)).certificate).toBe(certificate)
})

test('reading the certificate creates no signing keys', async () => {
  await authorityCertificate(folder)
  expect(readdirSync(join(folder, 'keys')).some((name) => name.startsWith('signing'))).toBe(false)
})

test('a server certificate contains every name and address, and chains to the root', async () => {
  const authority = await openAuthority(folder)
  const names = ['cdn.example.org', '192.0.2.7', '2001:db8::7', 'localhost']
  const server = new X509Certificate((await authority.issueServer(names)).certificate)
  expect(server.checkIssued(new X509Certificate(authority.certificate))).toBe(true)
  expect(server.checkHost('cdn.example.org')).toBe('cdn.example.org')
  expect(server.checkIP('192.0.2.7')).toBe('192.0.2.7')
  expect(server.checkIP('2001:db8::7')).toBe('2001:db8::7')
  expect(server.ca).toBe(false)
})

test('the node API is reachable by the names that the operator declared and by this machine’s own names', () => {
  expect(declaredNames('a.example, 192.0.2.1\n::1')).toEqual(['a.example', '192.0.2.1', '::1'])
  expect(() => declaredNames('a b;c')).toThrow(/BREAKWATER_SERVER_NAMES: b;c/)
  expect(serverNames()).toEqual(expect.arrayContaining(['localhost', '127.0.0.1', '::1']))
  expect(publicServerName()).not.toBe('')
})

test('a new key is announced, signed by the old one, for a week and then signs; the old one stays valid', () => {
  const day = 86_400_000
  let now = Date.parse('2030-01-01T00:00:00Z')
  const clock = () => now
  const signer = openSigner(folder, clock)
  const [old] = signer.keys()
  expect([signer.sign('x').keyId, signer.others()]).toEqual([old!.id, []])
  now += 30 * day
  const next = rotateSigningKey(folder, clock)
  now += 61_000
  expect(signer.sign('x').keyId).toBe(old!.id)
  expect(signer.others().map(({ id }) => id)).toEqual([next])
  now += 8 * day
  expect(signer.sign('x').keyId).toBe(next)
  expect(signer.others().map(({ id }) => id)).toEqual([old!.id])
})

test('private keys are never part of what is announced', async () => {
  const { signer } = await openAuthority(folder)
  const { key } = JSON.parse(readFileSync(join(folder, 'keys', 'signing-1.key'), 'utf8'))
  expect(JSON.stringify(signer.keys())).not.toContain(key)
})
