/** Applying changes: immediate, without a reload, and never partial. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FeedEntry } from '@breakwater/contract/edge/node-api.ts'
import type { ApplyReply } from '@breakwater/contract/edge/node-disk.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Box } from './harness.ts'
import { StubOrigin } from './origin.ts'

let box: Box
let origin: StubOrigin

beforeAll(async () => {
  origin = await StubOrigin.start()
  box = await Box.start({}, (disk) => disk.feed(disk.site({ origins: [{ port: origin.port }] })))
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

const apply = (...entries: FeedEntry[]) => box.control<ApplyReply>('POST', '/apply', { entries })
const ban = [{ id: 1, urlRegex: '', methods: [], ips: ['127.0.0.1'], mode: 'enforce' as const }]

test('a ban is in force on every worker with the next request, without new workers', async () => {
  const before = box.workers()
  for (let round = 0; round < 5; round++) {
    await apply(
      box.disk.site({ revision: round * 2 + 2, origins: [{ port: origin.port }], firewall: { denyRules: ban } }),
    )
    for (let i = 0; i < 8; i++) expect((await box.request('site.test', '/')).status).toBe(403)
    await apply(box.disk.site({ revision: round * 2 + 3, origins: [{ port: origin.port }] }))
    for (let i = 0; i < 8; i++) expect((await box.request('site.test', '/')).status).toBe(200)
  }
  expect(box.workers()).toEqual(before)
})

/** Sites that a node cannot serve, each for a different reason, with the reported reason. */
const broken: [string, RegExp, (disk: Box['disk']) => FeedEntry][] = [
  ['a missing artefact', /missing or damaged/, (disk) => disk.entry(1, 99, '0'.repeat(64), ['site.test'])],
  [
    'an artefact that is no JSON',
    /unknown schema/,
    (disk) => disk.entry(1, 99, disk.object('{"schema":'), ['site.test']),
  ],
  ['a schema of the future', /unknown schema/, (disk) => disk.entry(1, 99, disk.object('{"schema":3}'), ['site.test'])],
  ['a feature that this node has not', /requires magic/, (disk) => disk.site({ requires: ['magic'] })],
  [
    'a regular expression that does not compile',
    /regular expression/,
    (disk) => disk.site({ firewall: { denyRules: [{ ...ban[0]!, urlRegex: '(' }] } }),
  ],
  [
    'an address that is none',
    /no|not an address/,
    (disk) => disk.site({ firewall: { denyRules: [{ ...ban[0]!, ips: ['1.2.3'] }] } }),
  ],
  [
    'a field that may protect, unknown here',
    /geoIDs is unknown/,
    (disk) => disk.site({ firewall: { denyRules: [{ ...ban[0]!, geoIDs: [1] } as never] } }),
  ],
  [
    'a rule of the wrong type',
    /rate is no number/,
    (disk) =>
      disk.site({
        firewall: { rateRules: [{ id: 1, urlRegex: '', rate: '5' as never, burst: 0, blockType: 1, mode: 'enforce' }] },
      }),
  ],
  [
    'a list that is not there',
    /list is missing/,
    (disk) =>
      disk.site({
        firewall: { denyRules: [{ id: 1, urlRegex: '', methods: [], list: 'a'.repeat(64), mode: 'enforce' }] },
      }),
  ],
  [
    'a host that the artefact does not have',
    /no domain/,
    (disk) => ({ ...disk.site({}), hosts: ['site.test', 'more.test'] }),
  ],
  [
    'a part that was cut off',
    /missing or damaged/,
    (disk) => {
      const entry = disk.site({ revision: 77, headers: [{ id: 1, type: 'response', key: 'X-Cut', value: 'off' }] })
      const hash = disk.part({
        kind: 'customHeaders',
        module: 1,
        headers: [{ id: 1, type: 'response', key: 'X-Cut', value: 'off' }],
      })
      writeFileSync(join(box.settings.folder, 'objects', hash.slice(0, 2), hash), '{"kind":"custom')
      return entry
    },
  ],
]

test.each(broken)('%s is refused without affecting others; the site stays as it was', async (_name, reason, make) => {
  const fine = box.disk.site({ site: 2, hosts: ['fine.test'], origins: [{ port: origin.port }] })
  const reply = await apply(make(box.disk), fine)
  expect(reply.refused).toHaveLength(1)
  expect(reply.refused[0]).toMatchObject({ site: 1, reason: expect.stringMatching(reason) })
  expect((await box.request('site.test', '/')).status).toBe(200)
  expect((await box.request('fine.test', '/')).status).toBe(200)
})

test('nginx starts despite a torn log and a broken artefact, and serves the last intact one', async () => {
  box.disk.feed(box.disk.site({ revision: 50, origins: [{ port: origin.port }], firewall: { denyRules: ban } }))
  box.disk.feed(box.disk.entry(1, 51, 'f'.repeat(64), ['site.test']))
  writeFileSync(join(box.settings.folder, 'log/feed.log'), 'deadbeef {"site":1,"torn', { flag: 'a' })
  await box.stop('SIGKILL')
  await box.boot()
  expect((await box.request('site.test', '/')).status).toBe(403)
})

test('catastrophic backtracking fails only the request that caused it, with our error page', async () => {
  await apply(
    box.disk.site({
      site: 3,
      hosts: ['bomb.test'],
      origins: [{ port: origin.port }],
      firewall: { denyRules: [{ ...ban[0]!, urlRegex: '^/(a+)+$' }] },
    }),
  )
  const reply = await box.request('bomb.test', `/${'a'.repeat(40)}!`)
  expect(reply.status).toBe(500)
  expect(reply.text).toContain('Something went wrong here')
  expect((await box.request('bomb.test', '/fine')).status).toBe(200)
  expect(box.errors()).toContain('a regular expression gave up')
})

test('an entry that requires an unsupported feature leaves the site unchanged', async () => {
  await apply(box.disk.site({ site: 5, hosts: ['old.test'], origins: [{ port: origin.port }] }))
  await apply({ ...box.disk.entry(5, 2, null, []), ineligible: 'needs a newer node: magic' })
  expect((await box.request('old.test', '/')).status).toBe(200)
})

test('the reported state counts sites and hosts as they are added, moved and removed', async () => {
  const counts = async () => {
    const { sites, hosts, broken } = await box.state()
    return [sites, hosts, broken.length]
  }
  const [sites = 0, hosts = 0, broken = 0] = await counts()
  const of = (hosts: string[], site = 40) => box.disk.site({ site, hosts })
  await apply(of(['a.test', 'b.test']))
  expect(await counts()).toEqual([sites + 1, hosts + 2, broken])
  await apply(of(['b.test', 'c.test', 'd.test']), of(['c.test'], 41))
  expect(await counts()).toEqual([sites + 2, hosts + 3, broken])
  await apply({ ...of([]), artefact: null }, { ...of([], 41), artefact: null })
  expect(await counts()).toEqual([sites, hosts, broken])
})

test('hosts move from site to site', async () => {
  await apply(box.disk.site({ site: 6, hosts: ['moves.test'], firewall: { denyRules: ban } }))
  expect((await box.request('moves.test', '/')).status).toBe(403)
  await apply(
    box.disk.site({ site: 7, hosts: ['moves.test'], origins: [{ port: origin.port }] }),
    box.disk.site({ site: 6, hosts: ['else.test'] }),
  )
  expect((await box.request('moves.test', '/')).status).toBe(200)
})
