/** The vitals by which a roll-out is judged: failures, latency, and worker crashes. */
import type { NginxState } from '@breakwater/contract/edge/node-disk.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../tests/harness/ports.ts'
import { Box, until } from './harness.ts'
import { StubOrigin } from './origin.ts'

let box: Box
let origin: StubOrigin

beforeAll(async () => {
  origin = await StubOrigin.start()
  const dead = await freePort()
  box = await Box.start({}, (disk) => {
    disk.feed(disk.site({ origins: [{ port: origin.port }] }))
    disk.feed(disk.site({ site: 2, hosts: ['dead.test'], origins: [{ port: dead }] }))
  })
})
afterAll(async () => {
  await box?.end()
  await origin?.end()
})

const vitals = async () => (await box.control<NginxState>('GET', '/state')).vitals

test('responses are counted by latency, and those with 500 and above as failures', async () => {
  for (let i = 0; i < 5; i++) await box.request('site.test', '/')
  for (let i = 0; i < 3; i++) expect((await box.request('dead.test', '/')).status).toBe(502)
  await until('all are counted', async () => (await vitals()).requests === 8)
  const { failures, errors, crashes, latency } = await vitals()
  expect({ failures, errors, crashes }).toEqual({ failures: 3, errors: 0, crashes: 0 })
  expect(latency.reduce((sum, count) => sum + count)).toBe(8)
})

test('origin latency is counted separately', async () => {
  const before = (await vitals()).origin!
  const asked = before.counts.reduce((sum, count) => sum + count)
  await box.request('site.test', '/slow', { headers: { 'x-delay': '1' } })
  await until(
    'it is counted',
    async () => (await vitals()).origin!.counts.reduce((sum, count) => sum + count) === asked + 1,
  )
})

test('a killed worker counts as a crash', async () => {
  process.kill(box.workers()[0]!, 'SIGKILL')
  await until('another stands in for it', async () => (await vitals()).crashes === 1)
})
