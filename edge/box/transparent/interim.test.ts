/** Interim responses are passed on or dropped without delay; a non-HTTP origin is a 502 at once. */
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box, until } from '../harness.ts'
import { ask, type Version, versions } from './ask.ts'
import { plainAnswer, RawOrigin } from './raw-origin.ts'

const interims: Record<string, string> = {
  100: 'HTTP/1.1 100 Continue\r\n\r\n',
  102: 'HTTP/1.1 102 Processing\r\n\r\n',
  103: 'HTTP/1.1 103 Early Hints\r\nLink: </style.css>; rel=preload; as=style\r\n\r\n',
  several: [
    'HTTP/1.1 100 Continue\r\n\r\n',
    'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n',
    'HTTP/1.1 103 Early Hints\r\nLink: </b.css>; rel=preload\r\n\r\n',
  ].join(''),
}

let box: Box
let origin: RawOrigin
const others: RawOrigin[] = []

beforeAll(async () => {
  origin = await RawOrigin.start((socket, request) => {
    const [, kind, how] = request.target.split('/')
    const answer = plainAnswer(`${request.method} ${request.body}`, ['Cache-Control: no-store'])
    const interim = interims[kind!] ?? ''
    if (how !== 'apart') return void socket.write(interim + answer)
    // In a separate segment, like an origin that is still processing.
    socket.setNoDelay()
    socket.write(interim, () => setImmediate(() => socket.write(answer)))
  })
  const sites = {
    'greets.test': await RawOrigin.start(
      () => {},
      (socket) => socket.write('SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n'),
    ),
    'babbles.test': await RawOrigin.start((socket) => socket.write('{"error":"not HTTP"}\r\n\r\n')),
    'ends.test': await RawOrigin.start((socket) => socket.end('plain text and the end\n')),
    'leaves.test': await RawOrigin.start((socket) => socket.end()),
  }
  others.push(...Object.values(sites))
  box = await Box.start({ workers: 1 }, (disk) => {
    disk.feed(disk.site({ origins: [{ port: origin.port }] }))
    Object.entries(sites).forEach(([host, { port }], i) => {
      disk.feed(disk.site({ site: i + 2, hosts: [host], origins: [{ port }] }))
    })
  })
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
  for (const one of others) await one.end()
})

const cases = Object.keys(interims).flatMap((kind) =>
  versions.flatMap((version) => ['GET', 'POST'].map((method): [string, string, Version] => [kind, method, version])),
)

test.each(cases)('the response after %s to a %s over HTTP/%s arrives at once', async (kind, method, version) => {
  for (const how of ['together', 'apart']) {
    const asking = { method, path: `/${kind}/${how}/${version}`, ...(method === 'POST' && { body: 'body' }) }
    // Several times: the first may poison the connection that the second uses.
    for (let i = 0; i < 3; i++) {
      const answer = await ask(box, version, 'site.test', asking)
      expect([answer.status, answer.body.toString()]).toEqual([200, `${method} ${asking.body ?? ''}`])
    }
  }
})

test('a visitor’s connection stays usable after an interim response', async () => {
  const socket = connect(box.settings.httpPort, '127.0.0.1')
  let heard = ''
  socket.on('data', (chunk) => {
    heard += chunk
  })
  const finals = () => heard.match(/HTTP\/1\.1 200 /g)?.length ?? 0
  for (let i = 1; i <= 3; i++) {
    socket.write('POST /103/x HTTP/1.1\r\nHost: site.test\r\nContent-Length: 4\r\n\r\nbody')
    await until(`answer ${i}`, () => finals() === i && heard.endsWith('POST body'))
  }
  socket.destroy()
})

test.each(versions)('a body that waits for 100 Continue is requested and arrives, over HTTP/%s', async (version) => {
  const asking = { method: 'POST', path: '/none/x', body: 'waited', headers: { expect: '100-continue' } }
  const answer = await ask(box, version, 'site.test', asking)
  expect([answer.status, answer.body.toString()]).toEqual([200, 'POST waited'])
})

test.each(['greets.test', 'babbles.test', 'ends.test', 'leaves.test'])(
  'an origin that does not speak HTTP (%s) is answered 502 at once',
  async (host) => {
    for (const version of versions)
      for (const asking of [{ path: '/page' }, { method: 'POST', path: '/page', body: 'x' }]) {
        const answer = await ask(box, version, host, asking)
        expect(answer.status, `${asking.method ?? 'GET'} over HTTP/${version}`).toBe(502)
        // An edge that waits for the origin would take a minute.
        expect(answer.ms).toBeLessThan(15_000)
      }
  },
)

test('a page with an interim response arrives even if its origin sent none before', async () => {
  const late = await RawOrigin.start((socket, request) => {
    socket.write((request.target === '/hints' ? interims[103] : '') + plainAnswer('page', ['Cache-Control: no-store']))
  })
  await box.control('POST', '/apply', {
    entries: [box.disk.site({ site: 9, hosts: ['late.test'], origins: [{ port: late.port }] })],
  })
  for (const path of ['/first', '/first', '/hints', '/hints']) {
    const answer = await ask(box, '1.1', 'late.test', { path })
    expect([answer.status, answer.body.toString()], path).toEqual([200, 'page'])
  }
  await late.end()
})
