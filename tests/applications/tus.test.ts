/** Resumable uploads with tus: whole, in parts, cut in the middle of a part and resumed. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FileStore } from '@tus/file-store'
import { Server } from '@tus/server'
import { Upload } from 'tus-js-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../../edge/box/harness.ts'
import { askHttp1, header } from '../../edge/box/transparent/ask.ts'
import { type Application, inLong, isLong, Place } from './box.ts'
import { differencesOfRuns, type Own } from './compare.ts'
import type { Recorder } from './recorder.ts'
import { atOnce } from './settings.ts'

const bytes = Buffer.from(Array.from({ length: isLong ? 6_000_000 : 600_000 }, (_, i) => (i * 7 + (i >> 8)) % 256))

type TusServer = Application & { fileOf: (url: string) => Buffer }

let place: Place
const servers: TusServer[] = []

async function startServer(): Promise<TusServer> {
  const folder = mkdtempSync(join(tmpdir(), 'bw-tus-'))
  const tus = new Server({
    path: '/files',
    datastore: new FileStore({ directory: folder }),
    respectForwardedHeaders: true,
  })
  const http = createServer((request, response) => void tus.handle(request, response))
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const server: TusServer = {
    port: (http.address() as { port: number }).port,
    fileOf: (url) => readFileSync(join(folder, url.slice(url.lastIndexOf('/') + 1))),
    end: async () => {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
      rmSync(folder, { recursive: true, force: true })
    },
  }
  servers.push(server)
  return server
}

beforeAll(async () => {
  place = await Place.start()
})
afterAll(async () => {
  await place?.end()
  for (const server of servers) await server.end()
})

/** Upload IDs and ports differ from one run to the next. */
const own: Own = {
  text: (text) =>
    text
      .replace(/[0-9a-f]{32}/g, '…')
      .replace(/:\d{4,5}\b/g, ':…')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…'),
}

/** Uploads with the tus client; resolves with the upload's URL. */
function upload(way: Recorder, chunkSize: number, more: object = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const one: Upload = new Upload(bytes, {
      endpoint: `${way.url}/files`,
      chunkSize,
      retryDelays: null as never,
      metadata: { filename: 'ä 你好.bin', filetype: 'application/octet-stream' },
      onError: reject,
      onSuccess: () => resolve(one.url!),
      ...more,
    })
    one.start()
  })
}

const path = (url: string) => new URL(url).pathname

/** Creates an upload and sends half of it on a connection that is cut; returns its path. */
async function cutUpload(way: Recorder, server: TusServer): Promise<string> {
  const made = await way.ask({
    method: 'POST',
    path: '/files',
    headers: { 'tus-resumable': '1.0.0', 'upload-length': `${bytes.length}` },
    body: '',
  })
  const place = path(header(made, 'location')!)
  const half = Math.floor(bytes.length / 2)
  const cut = {
    method: 'PATCH',
    path: place,
    headers: {
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
      'content-length': `${bytes.length}`,
    },
    body: bytes.subarray(0, half),
  }
  await way.cut(cut, () => server.fileOf(place).length === half)
  await until('the offset of what has arrived', async () => {
    // Sent to the server directly: the client's own HEAD must be the first through the edge.
    const asked = await askHttp1(
      { port: server.port, host: 'tus.test' },
      { method: 'HEAD', path: place, headers: { 'tus-resumable': '1.0.0' } },
    )
    return asked.status === 200 && header(asked, 'upload-offset') === `${half}`
  })
  return place
}

/** Everything that a tus client does, in one order. Returns whether the cut upload became the whole file. */
async function scenario(way: Recorder, server: TusServer): Promise<boolean> {
  await way.ask({ method: 'OPTIONS', path: '/files', headers: { origin: 'http://page.test' } })
  for (const chunkSize of [bytes.length, 250_000, ...inLong(1_000_000)]) {
    const url = await upload(way, chunkSize)
    expect(server.fileOf(url).equals(bytes)).toBe(true)
  }
  const cut = await cutUpload(way, server)
  await upload(way, bytes.length, { uploadUrl: `${way.url}${cut}` })
  const isWhole = server.fileOf(cut).equals(bytes)
  for (let i = 0; i < 3; i++) await way.ask({ method: 'HEAD', path: cut, headers: { 'tus-resumable': '1.0.0' } })
  await way.ask({ path: cut })
  const wrong = { 'tus-resumable': '1.0.0', 'upload-offset': '5', 'content-type': 'application/offset+octet-stream' }
  await way.ask({ method: 'PATCH', path: cut, headers: wrong, body: 'wrong offset' })
  await way.ask({ method: 'HEAD', path: '/files/unknown', headers: { 'tus-resumable': '1.0.0' } })
  await way.ask({ method: 'DELETE', path: cut, headers: { 'tus-resumable': '1.0.0' } })
  await way.ask({ method: 'HEAD', path: cut, headers: { 'tus-resumable': '1.0.0' } })
  await way.ask({ method: 'POST', path: '/files', headers: { 'tus-resumable': '1.0.0' }, body: '' })
  return isWhole
}

test.each(atOnce)(
  'uploads, cut and resumed, and every answer to them arrive unchanged, over HTTP/$version, with $name',
  async ({ facts, version }) => {
    const [straight, behind] = [await startServer(), await startServer()]
    const { edge } = await place.site('tus.test', version, behind.port, facts)
    const direct = await place.way('direct', 'tus.test', version, straight.port)
    const areWhole = [await scenario(direct, straight), await scenario(edge, behind)]
    expect(differencesOfRuns(direct.exchanges, edge.exchanges, own)).toEqual([])
    expect(areWhole).toEqual([true, true])
  },
)

test('what has arrived of a cut upload is at the origin before the rest is sent', async () => {
  const server = await startServer()
  const { direct, edge } = await place.site('cut.test', '1.1', server.port)
  const made = await direct.ask({
    method: 'POST',
    path: '/files',
    headers: { 'tus-resumable': '1.0.0', 'upload-length': '2000' },
    body: '',
  })
  const file = path(header(made, 'location')!)
  const half = {
    method: 'PATCH',
    path: file,
    headers: {
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
      'content-length': '2000',
    },
    body: 'x'.repeat(1000),
  }
  await edge.cut(half, () => server.fileOf(file).length === 1000)
})
