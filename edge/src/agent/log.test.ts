import { spawnSync } from 'node:child_process'
import { openSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

test('a full disk under its own log does not stop the agent', () => {
  const code = `import { log } from '${join(import.meta.dirname, 'log.ts')}'
    for (let at = 0; at < 100; at++) log.info('no room for this')
    process.on('beforeExit', () => process.exit(7))`
  const ended = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', code], {
    stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'],
    encoding: 'utf8',
  })
  expect([ended.status, ended.stderr]).toEqual([7, ''])
})
