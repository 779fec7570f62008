/** Origins given as host names: resolved by DNS, and refused if they resolve to a private network. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box } from './harness.ts'
import { StubOrigin } from './origin.ts'

const zone: Record<string, number[][]> = { 'here.test': [[127, 0, 0, 1]], 'metadata.test': [[169, 254, 169, 254]] }
const dns = createSocket('udp4')
let asked = 0
let box: Box
let origin: StubOrigin

/** Answers queries for A records. */
dns.on('message', (question, from) => {
  asked += 1
  const labels: string[] = []
  let at = 12
  for (; question[at]! > 0; at += question[at]! + 1)
    labels.push(question.toString('latin1', at + 1, at + 1 + question[at]!))
  const type = question.readUInt16BE(at + 1)
  const found = type === 1 ? (zone[labels.join('.').toLowerCase()] ?? []) : []
  const head = Buffer.from([question[0]!, question[1]!, 0x81, 0x80, 0, 1, 0, found.length, 0, 0, 0, 0])
  const records = found.map((address) => Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address]))
  dns.send(Buffer.concat([head, question.subarray(12, at + 5), ...records]), from.port, from.address)
})

beforeAll(async () => {
  dns.bind(0, '127.0.0.1')
  await once(dns, 'listening')
  origin = await StubOrigin.start()
  box = await Box.start({ workers: 1, resolvers: [`127.0.0.1#${dns.address().port}`] }, (disk) => {
    const site = (id: number, host: string, target: string, allowOrigins: string[]) =>
      disk.site({ site: id, hosts: [host], origins: [{ host: target, port: origin.port }], allowOrigins })
    disk.feed(
      site(1, 'named.test', 'Here.test', ['127.0.0.0/8']),
      site(2, 'inside.test', 'here.test', []),
      site(3, 'meta.test', 'metadata.test', ['127.0.0.0/8']),
      site(4, 'nowhere.test', 'absent.test', []),
    )
  })
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
  dns.close()
})

test('a name is queried once within its TTL', async () => {
  for (let i = 0; i < 3; i++) expect((await box.request('named.test', `/${i}`)).status).toBe(200)
  expect(asked).toBe(1)
})

test.each(['inside.test', 'meta.test', 'nowhere.test'])(
  '%s cannot reach an origin on a forbidden network, or without an address',
  async (host) => {
    const before = origin.asked.length
    expect((await box.request(host, '/')).status).toBe(502)
    expect(origin.asked.length).toBe(before)
  },
)
