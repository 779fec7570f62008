import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box, until } from './harness.ts'
import { openReference } from './reference.ts'

let box: Box

beforeAll(async () => {
  box = await Box.start({}, (disk) => {
    const denyRule = { id: 2, urlRegex: '^/', ips: ['127.0.0.0/8'], methods: [], mode: 'enforce' as const }
    disk.feed(disk.site({ origins: [{ port: 9 }], firewall: { denyRules: [denyRule] } }))
  })
})
afterAll(() => box?.end())

/** Pipelines requests for `/<first>` and later paths over one connection. Returns the references of the refusals. */
function refusals(first: number, count: number): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const socket = connect(box.settings.httpPort, '127.0.0.1')
    let text = ''
    socket.on('error', reject)
    socket.on('data', (data) => {
      text += data.toString()
    })
    socket.on('end', () => resolve(Array.from(text.matchAll(/"reference":"([\w-]+)"/g), (match) => match[1]!)))
    for (let i = first; i < first + count; i++) {
      const last = i === first + count - 1 ? 'Connection: close\r\n' : ''
      socket.write(`GET /${i} HTTP/1.1\r\nHost: site.test\r\nAccept: application/json\r\n${last}\r\n`)
    }
  })
}

test('each of 10,000 refusals of one rule has a reference that identifies exactly its own log row', async () => {
  const [connections, each] = [20, 500]
  const floods = Array.from({ length: connections }, (_, i) => refusals(i * each, each))
  const references = (await Promise.all(floods)).flat()
  expect(references).toHaveLength(connections * each)
  await until('all rows', () => box.rows().length === references.length)
  const pathsById = new Map(box.rows().map((row) => [row.requestId.slice(0, 16), row.path]))
  const named = references.map((text) => pathsById.get(openReference(text, 'k'.repeat(32)).requestIdPrefix))
  expect(named).toEqual(references.map((_, i) => `/${i}`))
})

test('an nginx started before the enrolment seals and counts under the identity sent by the agent', async () => {
  const unknown = await Box.start({ nodeId: 0, zoneId: 0, groupId: 0 }, (disk) => {
    const rule = { id: 2, urlRegex: '^/', methods: [], ips: ['127.0.0.1'], mode: 'enforce' as const }
    disk.feed(disk.site({ firewall: { denyRules: [rule] } }))
  })
  try {
    await unknown.control('POST', '/apply', { entries: [], identity: { node: 9, zone: 5, group: 4 } })
    const { text } = await unknown.request('site.test', '/', { headers: { accept: 'application/json' } })
    const { reference } = JSON.parse(text) as { reference: string }
    expect(openReference(reference, 'k'.repeat(32))).toMatchObject({ group: 4, node: 9, rule: 2 })
    await until('the counters', () => unknown.counters().some(({ site }) => site === 1))
    expect(unknown.counters().find(({ site }) => site === 1)).toMatchObject({ node: 9, zone: 5 })
  } finally {
    await unknown.end()
  }
})
