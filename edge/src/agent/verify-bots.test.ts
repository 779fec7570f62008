/** Looks up bots with a real name server: the PTR name set by the address's owner counts only if it resolves back. */
import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import type { AddressInfo } from 'node:net'
import type { BotVerdict, ClaimedBot } from '@breakwater/contract/edge/verified-bots.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { botChecks, isNamedFor } from './verify-bots.ts'

const types: Record<number, string> = { 1: 'A', 12: 'PTR', 28: 'AAAA' }
const wireName = (name: string) =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.from([0]),
  ])
const wireAddress = (text: string) =>
  text.includes(':')
    ? Buffer.from(
        text
          .split(':')
          .map((group) => group.padStart(4, '0'))
          .join(''),
        'hex',
      )
    : Buffer.from(text.split('.').map(Number))

const of4 = (n: number) => `${n}.2.0.192.in-addr.arpa PTR`
const of6 = '1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa PTR'
const records: Record<string, string[]> = {
  [of4(1)]: ['crawl-1.bots.example.com'],
  'crawl-1.bots.example.com A': ['192.0.2.9', '192.0.2.1'],
  // Forged: the owner of 192.0.2.2 set the bot's name.
  [of4(2)]: ['crawl-1.bots.example.com'],
  [of4(3)]: ['bots.example.com.evil.example', 'evilbots.example.com'],
  'bots.example.com.evil.example A': ['192.0.2.3'],
  'evilbots.example.com A': ['192.0.2.3'],
  [of4(4)]: ['a.evil.example', 'Crawl-4.BOTS.example.com'],
  'crawl-4.bots.example.com A': ['192.0.2.4'],
  [of4(5)]: ['gone.bots.example.com'],
  [of6]: ['six.bots.example.com'],
  'six.bots.example.com AAAA': ['2001:0db8:0000:0000:0000:0000:0000:0001'],
}
/** A name whose queries are never answered. */
const silent = of4(7)
const server = createSocket('udp4')
const lookup = new Resolver({ timeout: 300, tries: 1 })

beforeAll(async () => {
  server.on('message', (message, from) => {
    const labels: string[] = []
    let at = 12
    for (let size = message[at]!; size > 0; size = message[at]!) {
      labels.push(message.toString('latin1', at + 1, at + 1 + size))
      at += 1 + size
    }
    const name = `${labels.join('.').toLowerCase()} ${types[message.readUInt16BE(at + 1)]}`
    if (name === silent) return
    const values = records[name] ?? []
    const head = Buffer.from(message.subarray(0, 12))
    head.writeUInt16BE(values.length > 0 ? 0x8580 : 0x8583, 2)
    head.writeUInt16BE(values.length, 6)
    head.fill(0, 8)
    const answers = values.flatMap((value) => {
      const data = name.endsWith('PTR') ? wireName(value) : wireAddress(value)
      const fixed = Buffer.from([0xc0, 12, 0, message[at + 2]!, 0, 1, 0, 0, 0, 60, 0, data.length])
      return [fixed, data]
    })
    server.send(Buffer.concat([head, message.subarray(12, at + 5), ...answers]), from.port, from.address)
  })
  await new Promise<void>((done) => server.bind(0, '127.0.0.1', done))
  lookup.setServers([`127.0.0.1:${(server.address() as AddressInfo).port}`])
})
afterAll(() => server.close())

const domains = ['bots.example.com']

test('only a name in the bot’s domain that resolves back to the address counts, for IPv4 and IPv6', async () => {
  const named = (address: string) => isNamedFor(address, domains, lookup)
  expect(await Promise.all([1, 2, 3, 4, 5, 6].map((n) => named(`192.0.2.${n}`)))).toEqual([
    ...[true, false, false, true, false, false],
  ])
  expect(await named('2001:db8::1')).toBe(true)
  await expect(named('192.0.2.7')).rejects.toThrow()
})

test('verdicts are sent to nginx, but none if DNS did not answer', async () => {
  const told: BotVerdict[] = []
  const claims: ClaimedBot[] = [1, 2, 7].map((n) => ({ agent: 'ExampleBot', address: `192.0.2.${n}` }))
  const checks = botChecks(
    {
      async bots(verdicts) {
        told.push(...verdicts)
        return claims.splice(0)
      },
    },
    lookup,
  )
  checks.configure({ verifiedBots: [{ agent: 'ExampleBot', domains, networks: [] }] } as never)
  const stop = new AbortController()
  const running = checks.run(stop.signal)
  await vi.waitFor(() => expect(told).toHaveLength(2), 10_000)
  stop.abort()
  await running
  expect(told.map(({ address, isVerified }) => [address, isVerified]).sort()).toEqual([
    ['192.0.2.1', true],
    ['192.0.2.2', false],
  ])
})
