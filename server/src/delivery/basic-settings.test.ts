import type { TokenSet } from '@breakwater/contract/auth/sign-in.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeTestServer, type TestServer } from '../testing/server.ts'

let server: TestServer
let as: TokenSet
let of: string
beforeAll(async () => {
  server = await makeTestServer()
  as = await server.openSession('user', 'customer')
  of = `/user/site/${await server.makeSite(as, 'basic')}`
})
afterAll(() => server.stop())

const call = (method: string, path: string, body?: unknown) => server.call(method, `${of}${path}`, { as, body })
const shown = async () => (await call('GET', '/setting')).body.data

test('basic settings are read, updated and reset; their timeout is that of the origins', async () => {
  expect(await shown()).toMatchObject({
    siteName: 'basic',
    http2: true,
    http3: true,
    zoneHttp3: false,
    websocket: true,
    timeout: 60,
    maxBodySize: 0,
  })
  expect((await call('PUT', '/setting', { websocket: false, timeout: 90, maxBodySize: 5000 })).status).toBe(200)
  expect(await shown()).toMatchObject({ websocket: false, timeout: 90, maxBodySize: 5000, gzip: true })
  expect((await call('GET', '/setting/originTimeouts')).body.data).toMatchObject({ firstByte: 90, connect: 5 })
  const { data } = (await call('GET', '/history')).body
  expect(data[0].action).toBe('site.setting.update')
  expect((await call('DELETE', '/setting')).status).toBe(200)
  expect(await shown()).toMatchObject({ websocket: true, timeout: 60, maxBodySize: 0 })
  expect((await call('POST', '/history/restore', { revision: data[0].revision })).status).toBe(200)
  expect(await shown()).toMatchObject({ websocket: false, timeout: 90 })
})

test('HTTP/2 is disabled and enabled per site, kept if omitted, and requires nodes that support it', async () => {
  const body = { websocket: true, timeout: 60, maxBodySize: 0 }
  const requires = async () => {
    const { rows } = await server.services.database.pool.query(
      'select o.bytes from feed_entries f join objects o on o.hash = f.artefact where f.site_id = $1',
      [Number(of.split('/').at(-1))],
    )
    return JSON.parse(rows[0].bytes.toString()).requires
  }
  expect((await call('PUT', '/setting', { ...body, http2: false })).status).toBe(200)
  expect(await shown()).toMatchObject({ http2: false, zoneHttp2: true })
  expect(await requires()).toContain('siteHttp2')
  expect((await call('PUT', '/setting', { ...body, maxBodySize: 1 })).status).toBe(200)
  expect((await shown()).http2).toBe(false)
  expect((await call('PUT', '/setting', { ...body, http2: true })).status).toBe(200)
  expect((await shown()).http2).toBe(true)
  expect((await call('PUT', '/setting', { ...body, http3: false })).status).toBe(200)
  expect((await call('PUT', '/setting', body)).status).toBe(200)
  expect(await shown()).toMatchObject({ http2: true, http3: false })
  expect((await call('PUT', '/setting', { ...body, http3: true })).status).toBe(200)
  expect(await requires()).not.toContain('siteHttp2')
})

test('gRPC requires HTTP/2, and origins whose certificates nodes can verify in a gRPC call', async () => {
  const body = { websocket: true, timeout: 60, maxBodySize: 0 }
  const put = async (fields: object) => (await call('PUT', '/setting', { ...body, ...fields })).body.extra
  const unverified = (field: string) => [{ field, reason: 'grpcUnverified' }]
  expect(await put({ grpc: true, http2: false })).toEqual([{ field: 'http2', reason: 'grpcNeedsHttp2' }])
  expect((await shown()).grpc).toBe(false)
  const pinned = { verify: 'pin', ca: '', pins: [`${'A'.repeat(43)}=`], serverName: '', host: '' }
  expect((await call('PUT', '/setting/originTls', pinned)).status).toBe(200)
  expect(await put({ grpc: true })).toEqual(unverified('grpc'))
  expect((await call('PUT', '/setting/originTls', { ...pinned, verify: 'system', pins: [] })).status).toBe(200)
  expect(await put({ grpc: true })).toBeUndefined()
  // If omitted, it is kept.
  expect(await put({ maxBodySize: 7 })).toBeUndefined()
  expect(await shown()).toMatchObject({ grpc: true, maxBodySize: 7 })
  expect((await call('PUT', '/setting/originTls', pinned)).body.extra).toEqual(unverified('verify'))
  const own = { certificate: 'x', privateKey: 'y' }
  expect((await call('PUT', '/setting/originCertificate', own)).body.extra).toEqual(unverified('certificate'))
  expect((await call('DELETE', '/setting')).status).toBe(200)
  expect((await shown()).grpc).toBe(false)
  expect((await call('DELETE', '/setting/originTls')).status).toBe(200)
})

test('Cache-Status is sent to nobody until the site says to whom, and a restore brings that back', async () => {
  const toldTo = async () => {
    const { rows } = await server.services.database.pool.query(
      `select convert_from(p.bytes, 'UTF8')::jsonb -> 'cacheStatus' as told from feed_entries f
       join objects o on o.hash = f.artefact
       join objects p on encode(p.hash, 'hex') = convert_from(o.bytes, 'UTF8')::jsonb -> 'parts' ->> 'settings' where f.site_id = $1`,
      [Number(of.split('/').at(-1))],
    )
    return rows[0].told
  }
  const path = '/setting/cacheStatus'
  expect((await call('GET', path)).body.data).toEqual({ enable: false, networks: [] })
  expect(await toldTo()).toBeNull()
  const { status, body } = await call('PUT', path, { enable: true, networks: ['192.0.2.0/24', 'here'] })
  expect([status, body.extra]).toEqual([400, [{ field: 'networks.1', reason: 'wrongFormat' }]])
  expect((await call('PUT', path, { enable: true, networks: ['192.0.2.0/24'] })).status).toBe(200)
  expect(await toldTo()).toEqual({ networks: ['192.0.2.0/24'] })
  const { revision } = (await call('GET', '/history')).body.data[0]
  expect((await call('DELETE', path)).status).toBe(200)
  expect(await toldTo()).toBeNull()
  expect((await call('POST', '/history/restore', { revision })).status).toBe(200)
  expect(await toldTo()).toEqual({ networks: ['192.0.2.0/24'] })
})

test('the site shows whether its zone has HTTP/2', async () => {
  const operator = await server.openSession('client', 'operator')
  const [zone] = (await server.call('GET', '/client/metaZones', { as: operator })).body.data
  const set = (enable: boolean) =>
    server.call('PUT', `/client/zone/${zone.id}/setting/http2`, { as: operator, body: { enable } })
  expect((await set(false)).status).toBe(200)
  expect(await shown()).toMatchObject({ http2: true, zoneHttp2: false })
  expect((await set(true)).status).toBe(200)
  expect((await shown()).zoneHttp2).toBe(true)
})

test('values out of range are rejected at their field', async () => {
  const body = { websocket: true, timeout: 60, maxBodySize: 0 }
  expect((await call('PUT', '/setting', { ...body, timeout: 3601 })).body.extra[0].field).toBe('timeout')
  expect((await call('PUT', '/setting', { ...body, maxBodySize: 10_000_000_001 })).body.extra[0].field).toBe(
    'maxBodySize',
  )
})
