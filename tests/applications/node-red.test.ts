/** Node-RED: its editor, its admin API and its WebSocket. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '../../edge/box/harness.ts'
import type { Asking } from '../../edge/box/transparent/ask.ts'
import { freePort } from '../harness/ports.ts'
import { type Application, inLong, Place } from './box.ts'
import { startChild } from './child.ts'
import { differencesOfRuns, type Own } from './compare.ts'
import { probe } from './probes.ts'
import type { Recorder } from './recorder.ts'
import { atOnce } from './settings.ts'

const program = join(dirname(createRequire(import.meta.url).resolve('node-red/package.json')), 'red.js')

let place: Place
const editors: Application[] = []
const folders: string[] = []

async function startEditor(): Promise<Application> {
  const folder = mkdtempSync(join(tmpdir(), 'bw-red-'))
  folders.push(folder)
  const port = await freePort()
  const settings = {
    ...{ uiHost: '127.0.0.1', uiPort: port, userDir: folder, flowFile: 'flows.json', credentialSecret: 'a secret' },
    ...{ telemetry: { enabled: false }, diagnostics: { enabled: true }, logging: { console: { level: 'warn' } } },
    editorTheme: { tours: false, palette: { allowInstall: false, catalogues: [] } },
  }
  writeFileSync(join(folder, 'settings.js'), `module.exports = ${JSON.stringify(settings)}\n`)
  const editor = await startChild(program, ['-s', join(folder, 'settings.js'), '-u', folder], port, { HOME: folder })
  editors.push(editor)
  return editor
}

beforeAll(async () => {
  place = await Place.start()
})
afterAll(async () => {
  await place?.end()
  for (const editor of editors) await editor.end()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** Each editor has its own IDs and times. */
const own: Own = {
  headers: ['last-modified'],
  text: (text) =>
    text.replace(/"(rev|instanceId|id)":"[0-9a-f]{16,}"/g, '"$1":"…"').replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '…'),
}

const flows = [
  { id: 'tab1', type: 'tab', label: '流程 1' },
  { id: 'in1', type: 'http in', z: 'tab1', url: '/hello/:name', method: 'get', wires: [['fn1']] },
  { id: 'in2', type: 'http in', z: 'tab1', url: '/hello', method: 'post', wires: [['out1']] },
  {
    id: 'fn1',
    type: 'function',
    z: 'tab1',
    func: "msg.payload = 'hello ' + msg.req.params.name\nreturn msg",
    outputs: 1,
    wires: [['out1']],
  },
  { id: 'out1', type: 'http response', z: 'tab1', statusCode: '', headers: {}, wires: [] },
]

/** Reads and deploys flows, and uses them. */
async function scenario(way: Recorder): Promise<void> {
  const json = { 'content-type': 'application/json', accept: 'application/json' }
  const say = (method: string, path: string, value?: unknown, headers: Record<string, string> = {}) =>
    way.ask({
      method,
      path,
      headers: { ...json, ...headers },
      ...(value !== undefined && { body: JSON.stringify(value) }),
    })
  await say('GET', '/auth/login')
  await say('GET', '/flows')
  await say('GET', '/flows', undefined, { 'node-red-api-version': 'v2' })
  await say('POST', '/flows', flows, { 'node-red-deployment-type': 'full' })
  const state = await way.ask({ path: '/flows', headers: { ...json, 'node-red-api-version': 'v2' } })
  const { rev } = JSON.parse(state.body.toString()) as { rev: string }
  await say('POST', '/flows', { rev, flows }, { 'node-red-api-version': 'v2', 'node-red-deployment-type': 'nodes' })
  await say('POST', '/flows', { rev: 'wrong', flows }, { 'node-red-api-version': 'v2' })
  await say('POST', '/flows', 'not flows')
  await say('GET', '/flow/tab1')
  await say('GET', '/flow/none')
  await say('PUT', '/flow/tab1', { id: 'tab1', label: 'renamed', nodes: flows.slice(1) })
  const use: Asking[] = [
    { path: '/hello/mia' },
    { path: '/hello/%E4%BD%A0%20%2F%3B' },
    { path: '/hello/a%2Fb' },
    { method: 'POST', path: '/hello', headers: json, body: '{"a":1}' },
    { method: 'HEAD', path: '/hello/mia' },
    { method: 'OPTIONS', path: '/hello' },
    { path: '/hello' },
  ]
  for (const asking of use) await way.ask(asking)
  await say('GET', '/nodes')
  await way.ask({ path: '/nodes', headers: { accept: 'text/html' } })
  await say('PUT', '/nodes/node-red', { enabled: true })
  await say('GET', '/settings')
  await say('GET', '/context/global')
  await say('DELETE', '/context/global/nothing')
  await say('GET', '/red/none')
  await say('DELETE', '/flow/tab1')
}

/** The first messages on the editor's WebSocket, and those after a deploy through it. */
async function hear(way: Recorder): Promise<string[]> {
  const socket = new WebSocket(`${way.url.replace('http', 'ws')}/comms`)
  const topics = new Set<string>()
  socket.addEventListener('message', ({ data }) => {
    for (const { topic } of [JSON.parse(data as string)].flat() as { topic: string }[]) topics.add(topic)
  })
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', reject)
  })
  socket.send(JSON.stringify({ subscribe: 'notification/#' }))
  await until('the runtime’s state', () => topics.has('notification/runtime-state') || topics.has('hb'))
  const body = JSON.stringify(flows)
  await way.ask({ method: 'POST', path: '/flows', headers: { 'content-type': 'application/json' }, body })
  await until('the word of a deploy', () => topics.has('notification/runtime-deploy'))
  const closed = new Promise((resolve) => socket.addEventListener('close', resolve))
  socket.close()
  await closed
  return [...topics].filter((topic) => topic !== 'hb').sort()
}

const pages = [
  '/',
  '/red/red.min.js',
  '/nodes',
  ...inLong(
    '/red/style.min.css',
    '/vendor/vendor.js',
    '/red/images/node-red.svg',
    '/locales/editor?lng=en-US',
    '/icons',
    '/theme',
    '/red/about',
    '/favicon.ico',
    '/settings',
  ),
]

test.each(atOnce)(
  'the editor’s pages, its API and its flows answer as they do directly, over HTTP/$version, with $name',
  { timeout: 900_000 },
  async ({ facts, version }) => {
    const [straight, behind] = [await startEditor(), await startEditor()]
    const { direct: beside, edge } = await place.site('red.test', version, behind.port, facts)
    const direct = await place.way('direct', 'red.test', version, straight.port)
    await scenario(direct)
    await scenario(edge)
    const found = differencesOfRuns(direct.exchanges, edge.exchanges, own)
    found.push(...(await probe(beside, edge, pages)))
    expect(found).toEqual([])
    const [known, heard] = [await hear(direct), await hear(edge)]
    expect(heard).toEqual(known)
    expect(edge.handshakes).toEqual(direct.handshakes)
  },
)
