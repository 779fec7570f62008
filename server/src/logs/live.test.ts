import type { AddressInfo } from 'node:net'
import type { AccessLogRow } from '@breakwater/contract/logs/access.ts'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { watchPace } from '../../../tests/harness/pace.ts'
import { type LogServer, startLogServer } from './testing/log-server.ts'

let server: LogServer
let origin: string

beforeAll(async () => {
  server = await startLogServer()
  await server.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(server.app.server.address() as AddressInfo).port}`
})
afterAll(() => server.stop())

type Seen = {
  rows: AccessLogRow[]
  arrivals: number[]
  lag: { lagMs: number; dropped: number } | undefined
  status: number
  ended: boolean
}
const watching: AbortController[] = []
afterEach(() => {
  for (const controller of watching.splice(0)) controller.abort()
})

/** Watches the live log like a browser. */
async function watch(filter: object = {}, token = server.mine.token): Promise<Seen> {
  const controller = new AbortController()
  watching.push(controller)
  const address = `${origin}/api/v1/user/logs/access/live?filter=${encodeURIComponent(JSON.stringify(filter))}`
  const response = await fetch(address, {
    headers: { authorization: `Bearer ${token.accessToken}` },
    signal: controller.signal,
  })
  const seen: Seen = { rows: [], arrivals: [], lag: undefined, status: response.status, ended: false }
  const read = async () => {
    let text = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      const events = text.split('\n\n')
      text = events.pop()!
      for (const event of events) {
        const data = /^data: (.*)$/m.exec(event)?.[1]
        if (event.startsWith('event: row')) {
          const rows = JSON.parse(data!) as AccessLogRow[]
          seen.rows.push(...rows)
          seen.arrivals.push(Date.now())
        }
        if (event.startsWith('event: lag')) seen.lag = JSON.parse(data!)
      }
    }
  }
  read()
    .catch(() => {})
    .finally(() => {
      seen.ended = true
    })
  return seen
}

const ids = (seen: Seen) => seen.rows.map((row) => row.reqID)
const nowSeconds = () => Date.now() / 1000

test('a row is shown within three seconds of its request, and only to those it belongs to', async () => {
  const mine = await watch()
  const theirs = await watch({}, server.theirs.token)
  const refused = await watch({ action: ['block'] })
  const [asked, pace] = [Date.now(), watchPace()]
  await server.uploadEvents([
    { time: nowSeconds(), requestId: 'live-1' },
    { time: nowSeconds(), requestId: 'live-2', action: 'block', status: 403 },
  ])
  const stored = Date.now()
  await vi.waitUntil(() => mine.rows.length === 2)
  const read = Date.now()
  await server.call('POST', '/user/logs/access', {
    as: server.mine.token,
    body: { startTime: 0, endTime: nowSeconds() },
  })
  // Allow for how long storing and querying rows takes on this machine right now.
  const slowness = stored - asked + Date.now() - read
  expect(mine.arrivals[0]! - asked).toBeLessThan(pace.within(3_000) + 3 * slowness)
  pace.stop()
  await vi.waitUntil(() => refused.rows.length === 1)
  expect(ids(refused)).toEqual(['live-2'])
  await server.uploadEvents([{ time: nowSeconds(), requestId: 'live-3', site: server.theirs.site }])
  await vi.waitUntil(() => theirs.rows.length === 1)
  expect(ids(theirs)).toEqual(['live-3'])
  expect(ids(mine)).not.toContain('live-3')
  await vi.waitUntil(() => mine.lag !== undefined)
  expect(mine.lag!.lagMs).toBeLessThan(60_000)
})

test('the lag is that of the nodes, not the age of the newest row', async () => {
  const report = (text: string) =>
    server.services.database.pool.query(
      `update nodes set last_seen_at = now(), health = jsonb_build_object('eventsUntil', extract(epoch from now() - interval '${text}')) where id = $1`,
      [server.node.nodeId],
    )
  await server.uploadEvents([{ time: nowSeconds() - 90, requestId: 'quiet-1', path: '/quiet' }])
  await report('2 seconds')
  const seen = await watch({ url: '/quiet' })
  await vi.waitUntil(() => seen.rows.length === 1 && seen.lag !== undefined)
  expect(seen.lag!.lagMs).toBeLessThan(50_000)
  await report('60 seconds')
  await vi.waitUntil(() => seen.lag!.lagMs >= 60_000)
})

test('the last rows are shown at once, without duplicates', async () => {
  await server.uploadEvents([{ time: nowSeconds(), requestId: 'backlog-1' }])
  const seen = await watch({ reqID: 'backlog-1' })
  await vi.waitUntil(() => seen.rows.length > 0)
  await server.uploadEvents([{ time: nowSeconds(), requestId: 'backlog-2' }])
  // A notice that reached another watcher has been offered to this one too.
  const other = await watch({ reqID: 'backlog-2' })
  await vi.waitUntil(() => other.rows.length > 0)
  expect(ids(seen)).toEqual(['backlog-1'])
})

test('a flood is shown in part, and the rest is counted', async () => {
  const seen = await watch({ url: '/flood' })
  // Rows stored before the watcher listens are history: the last of them are shown and none is counted.
  for (const before of [1, 2]) {
    await server.uploadEvents([{ time: nowSeconds(), requestId: `before-${before}`, path: '/flood' }])
    await vi.waitUntil(() => seen.rows.length === before)
  }
  const rows = (second: number) =>
    Array.from({ length: 300 }, (_, i) => ({ time: nowSeconds(), requestId: `flood-${second}-${i}`, path: '/flood' }))
  await server.uploadEvents(rows(1))
  await server.uploadEvents(rows(2))
  await vi.waitUntil(() => (seen.lag?.dropped ?? 0) + seen.rows.length >= 602)
  expect(seen.lag!.dropped + seen.rows.length).toBe(602)
  expect(seen.rows.length).toBeLessThanOrEqual(150)
})

test('an invalid filter and another customer’s site are rejected before the stream opens', async () => {
  expect((await watch({ siteIDs: [server.theirs.site] })).status).toBe(403)
  expect((await watch({ nonsense: 1 })).status).toBe(400)
})

test('a stream ends with the session it was opened with', async () => {
  const other = await server.signIn('user', 'customer')
  const seen = await watch({}, other)
  const kept = await watch()
  await server.services.database.pool.query(
    'update sessions set ended_at = now() where id = (select max(id) from sessions)',
  )
  await vi.waitUntil(() => seen.ended)
  expect(kept.ended).toBe(false)
})

test('a stream ends when the server does', async () => {
  const seen = await watch()
  const closing = server.app.close()
  await vi.waitUntil(() => seen.ended)
  // The client keeps an idle connection open.
  server.app.server.closeAllConnections()
  await closing
})
