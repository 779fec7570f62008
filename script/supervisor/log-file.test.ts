import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openLog } from './log-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'breakwater-test-'))

test('a log holds one JSON object a line, whatever the child writes', () => {
  const log = openLog(join(folder, 'a.log'), 'a')
  log.write('{"level":30,"msg":"listening"}')
  log.write('FATAL: out of "memory"')
  const lines = readFileSync(log.path, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object)
  expect(lines).toMatchObject([{ msg: 'listening' }, { name: 'a', message: 'FATAL: out of "memory"' }])
})

test('a full log moves aside and the oldest one goes', () => {
  const log = openLog(join(folder, 'b.log'), 'b')
  for (let file = 1; file <= 5; file++) log.write('x'.repeat(17 << 20).replace('x', String(file)))
  const first = (suffix: string) =>
    (JSON.parse(readFileSync(log.path + suffix, 'utf8')) as { message: string }).message[0]
  expect(['.1', '.2', '.3'].map(first)).toEqual(['5', '4', '3'])
  expect(() => first('.4')).toThrow()
  expect(readFileSync(log.path, 'utf8')).toBe('')
  rmSync(folder, { recursive: true })
})
