import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openLog } from './log-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'breakwater-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

const say = (file: number, text: string) => spawnSync('printf', ['%s', text], { stdio: ['ignore', file, 'ignore'] })

test('a child writes its log itself; its lines are shown, and its last one says why it ended', () => {
  const shown: string[] = []
  const log = openLog(join(folder, 'a.log'), (line) => shown.push(line))
  expect(log.last()).toBe('')
  say(log.file, '{"level":30,"msg":"listening"}\nFATAL: out of')
  log.bound()
  say(log.file, ' memory\n')
  log.bound()
  expect(shown).toEqual(['{"level":30,"msg":"listening"}', 'FATAL: out of memory'])
  expect(log.last()).toBe('FATAL: out of memory')
})

test('a full log is rotated, the oldest one is deleted, and the child continues to write to the same file', () => {
  const log = openLog(join(folder, 'b.log'))
  for (let round = 1; round <= 5; round++) {
    spawnSync('sh', ['-c', `printf ${round}; head -c 17000000 /dev/zero | tr '\\0' x`], {
      stdio: ['ignore', log.file, 2],
    })
    log.bound()
  }
  const first = (suffix: string) => readFileSync(log.path + suffix, 'utf8')[0]
  expect(['.1', '.2', '.3'].map(first)).toEqual(['5', '4', '3'])
  expect(() => first('.4')).toThrow()
  expect(readFileSync(log.path, 'utf8')).toBe('')
  say(log.file, 'on')
  expect(readFileSync(log.path, 'utf8')).toBe('on')
})
