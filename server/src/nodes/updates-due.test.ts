import { spawnSync } from 'node:child_process'
import type { NodeHealth } from '@breakwater/contract/edge/node-api.ts'
import { expect, test } from 'vitest'
import { compareDebianVersions } from './debian-version.ts'
import { updatesDue } from './updates-due.ts'

const versions = [
  ...['1.22.1-9+deb12u9', '1.22.1-9+deb12u11', '1.22.1-9', '1.22.1-9~bpo1', '1.26.3-3+deb13u11', '1:1.0-1'],
  ...['3.0.19-1~deb12u2', '3.0.22-1~deb12u2', '3.0.22-1', '3.0.9', '3.0', '3.0a', '3.0~rc1', '3.0+b1', '0', '2-1-1'],
]

test('versions are ordered as dpkg orders them', () => {
  for (const a of versions)
    for (const b of versions) {
      const { status } = spawnSync('dpkg', ['--compare-versions', a, 'lt', b])
      expect(compareDebianVersions(a, b) < 0, `${a} lt ${b}`).toBe(status === 0)
    }
})

const reports = (release: string, packages: Record<string, string>) =>
  ({ packages: { release, versions: packages } }) as unknown as NodeHealth

test('an nginx or OpenSSL older than its security fixes is due, with the version that has them', () => {
  const due = updatesDue(reports('bookworm', { nginx: '1.22.1-9+deb12u1', libssl3: '3.0.2-1' }))
  expect(due.map((update) => update.package)).toEqual(['nginx', 'libssl3'])
  expect(due[0]).toMatchObject({ installed: '1.22.1-9+deb12u1', minimum: expect.stringContaining('deb12u') })
})

test('a version that is new enough, unknown or not reported is not due', () => {
  expect(updatesDue(reports('bookworm', { nginx: '9:1' }))).toEqual([])
  expect(updatesDue(reports('forky', { nginx: '0.1' }))).toEqual([])
  expect(updatesDue({} as NodeHealth)).toEqual([])
  expect(updatesDue(null)).toEqual([])
})
