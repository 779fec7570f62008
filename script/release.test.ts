import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { everything } from '../tests/harness/everything.ts'

const root = join(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'bw-release-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Each release builds everything, which takes as long as twenty test files: run in `script/test --all`. */
const places = [
  ['one', 'UTC'],
  ['two', 'Asia/Taipei'],
] as const

test.runIf(everything)(
  'a release contains the build and the SBOM and nothing of npm; two releases of a commit are byte-identical',
  {
    timeout: 900_000,
  },
  async () => {
    const made: Buffer[] = []
    for (const [name, time] of places) {
      const env = { ...process.env, TZ: time, TMPDIR: mkdtempSync(join(folder, `${name}-at-another-path-`)) }
      await promisify(execFile)(join(root, 'script/release'), [join(folder, name)], { env, cwd: folder })
      const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
      made.push(readFileSync(join(folder, name, `breakwater-${version}.tar.gz`)))
    }
    for (const other of made.slice(1)) expect(made[0]?.equals(other)).toBe(true)
    const list = execFileSync('tar', ['-tz'], { input: made[0], encoding: 'utf8', maxBuffer: 1e8 })
    for (const path of [
      'edge/lua/.stamp',
      'console/dist/index.html',
      'sbom.cdx.json',
      'LICENCES.txt',
      'script/upgrade',
    ])
      expect(list).toContain(`/${path}\n`)
    expect(list).not.toContain('node_modules')
  },
)
