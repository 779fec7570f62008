/**
 * Bans shared between nodes: on disk before nginx gets them, reported once and again after a kill, lifted everywhere
 * wherever they were lifted.
 */
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseRange } from '@breakwater/contract/addresses.ts'
import type { BanChange } from '@breakwater/contract/edge/bans.ts'
import { encodeReputation } from '@breakwater/contract/edge/reputation.ts'
import { expect, test } from 'vitest'
import { useAgentFixture } from './fixture.ts'
import { until } from './node.ts'
import { makeSigner } from './sealing.ts'

const fixture = useAgentFixture()

/** The addresses banned on the node's disk, as nginx would read them. */
function onDisk(): string[] {
  const held = new Map<string, number>()
  const lines = readFileSync(join(fixture.node.folder, 'log/bans.log'), 'utf8').trim().split('\n')
  for (const line of lines) {
    const { site, address, until } = JSON.parse(line.slice(9)) as { site: number; address: string; until: number }
    held.set(`${site} ${address}`, until)
  }
  return [...held].flatMap(([key, until]) => (until > Date.now() / 1000 ? [key] : [])).sort()
}

/** nginx bans an address. */
function begin(address: string, seconds = 600, at = Math.floor(Date.now() / 1000)) {
  const ban = {
    ...{ site: 1, address, guard: 'denyRules', rule: 7, cause: 903, at, seconds },
    ...{ requestId: 'ab'.repeat(16), reference: 'r'.repeat(55) },
  }
  appendFileSync(join(fixture.node.folder, 'spool/bans.log'), `${JSON.stringify(ban)}\n`)
}

function tell(...changes: BanChange[]) {
  fixture.plane.addBans(changes)
  fixture.plane.wake('bans')
}
const other = (address: string, seconds = 600): BanChange => ({ site: 1, address, seconds })
const told = () => fixture.plane.banned.map(({ address }) => address)
const heard = (address: string) => fixture.node.control.bans.filter((ban) => ban.address === address).at(-1)

test('what nginx banned is stored, reported once, IPv6 by its /64, and not sent back to nginx', async () => {
  await fixture.run()
  for (const address of ['192.0.2.1', '2001:0db8:0001:0002:0003:0000:0000:0004']) begin(address)
  begin('192.0.2.2', 600, Math.floor(Date.now() / 1000) - 700)
  appendFileSync(join(fixture.node.folder, 'spool/bans.log'), 'torn\n')
  await until('both', () => told().length === 2)
  expect(told()).toEqual(['192.0.2.1', '2001:db8:1:2::/64'])
  expect(onDisk()).toEqual(['1 192.0.2.1', '1 2001:db8:1:2::/64'])
  // If it were killed before writing its note, it would report them again, which changes nothing.
  const [note, lines] = ['agent/bans.json', 'spool/bans.log'].map((name) => join(fixture.node.folder, name)) as [
    string,
    string,
  ]
  const noted = () => existsSync(note) && JSON.parse(readFileSync(note, 'utf8')).offset
  await until('its note', () => noted() === statSync(lines).size)
  await fixture.node.kill()
  await fixture.run()
  begin('192.0.2.3')
  await until('the next one', () => told().includes('192.0.2.3'))
  expect(told()).toHaveLength(3)
})

test('what others banned and lifted reaches disk and nginx at once; forged changes do not', async () => {
  await fixture.run()
  tell(other('192.0.2.1'), other('192.0.2.2'))
  await until('nginx', () => heard('192.0.2.2'))
  expect(onDisk()).toEqual(['1 192.0.2.1', '1 192.0.2.2'])
  tell(other('192.0.2.1', 0))
  await until('the lifting', () => heard('192.0.2.1')?.seconds === 0)
  expect(onDisk()).toEqual(['1 192.0.2.2'])
  fixture.plane.signer = makeSigner('k1')
  tell(other('192.0.2.9'))
  await until('the refusal', () => fixture.node.output.includes('not in step with the other nodes'))
  expect(heard('192.0.2.9')).toBeUndefined()
})

test('a ban that the control plane refuses is lifted where it began', async () => {
  await fixture.run()
  fixture.plane.refuseBans.add('203.0.113.1')
  begin('203.0.113.1')
  await until('the lifting', () => heard('203.0.113.1')?.seconds === 0)
  expect(onDisk()).toEqual([])
})

test('nothing is lost while nobody answers: nginx and the control plane get it when they are back', async () => {
  await fixture.run()
  tell(other('192.0.2.1'), other('192.0.2.2'))
  await until('nginx', () => heard('192.0.2.2'))
  await fixture.plane.stop()
  begin('192.0.2.3')
  await until('its line', () => onDisk().includes('1 192.0.2.3'))
  await fixture.node.kill()
  await fixture.node.control.stop()
  // Lifted while this node was away, and removed from the list since.
  fixture.plane.bans = fixture.plane.bans.filter(({ address }) => address !== '192.0.2.1')
  await fixture.plane.start()
  await fixture.run()
  await until('what it had not told', () => told().includes('192.0.2.3'))
  await until('what was lifted', () => !onDisk().includes('1 192.0.2.1'))
  expect(onDisk()).toEqual(['1 192.0.2.2', '1 192.0.2.3'])
  expect(heard('192.0.2.1')?.seconds).toBeGreaterThan(0)
  await fixture.node.control.start()
  await until('nginx', () => heard('192.0.2.1')?.seconds === 0)
})

test('the reputation list is on disk before nginx gets it; a damaged one is rejected', async () => {
  const path = join(fixture.node.folder, 'reputation.bin')
  const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
  const listed = encodeReputation([{ ...parseRange('192.0.2.0/24')!, score: 80 }])
  fixture.plane.reputation = listed
  await fixture.run()
  await until('the list', () => fixture.node.control.reputations.includes(hashOf(listed)))
  expect(readFileSync(path).equals(listed)).toBe(true)
  await fixture.node.kill()
  fixture.plane.reputation = encodeReputation([{ ...parseRange('0.0.0.0/0')!, score: 90 }]).subarray(0, 24)
  await fixture.run()
  await until('its refusal', () => fixture.node.output.includes('the reputation of addresses is not renewed'))
  expect(readFileSync(path).equals(listed)).toBe(true)
})
