/**
 * The promise that broke: script/server starts from anywhere. From inside an npm script it found a package's old npm,
 * which ran the root's build in an endless loop.
 */
import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

test('the scripts use the machine’s npm even inside an npm script', () => {
  const found = execFileSync('sh', ['-c', 'root=$PWD; . script/runtime.sh; command -v npm'], {
    cwd: root,
    env: { ...process.env, PATH: `${root}/node_modules/.bin:${process.env.PATH}` },
    encoding: 'utf8',
  })
  expect(found).not.toContain('node_modules/.bin')
})
