import { spawnSync } from 'node:child_process'
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'breakwater-test-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs code that can use `logger`, with its output in a file; returns its exit status and stderr. */
function run(code: string, file: string) {
  const script = `import { makeLogger } from '${join(import.meta.dirname, 'log.ts')}'
    const logger = makeLogger('test', 'info')
    ${code}`
  const stdio = ['ignore', openSync(file, 'a'), 'pipe'] as ('ignore' | 'pipe' | number)[]
  return spawnSync(process.execPath, ['--input-type=module-typescript', '-e', script], { stdio, encoding: 'utf8' })
}

test('a full disk under the log does not end the process', () => {
  const ended = run("for (let at = 0; at < 2000; at++) logger.info({ at }, 'x'.repeat(100))", '/dev/full')
  expect([ended.status, ended.stderr]).toEqual([0, ''])
})

test('lines that could not be written are counted in the log itself, once there is space', () => {
  const file = join(folder, 'small.log')
  const ended = run(
    `import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    const real = fs.writeSync
    const roomFor = (write) => { fs.writeSync = write; syncBuiltinESMExports() }
    roomFor(() => { throw Object.assign(new Error('no space'), { code: 'ENOSPC' }) })
    const turn = () => new Promise(setImmediate)
    for (let at = 0; at < 3; at++) logger.info('nobody reads this')
    await turn()
    roomFor(real)
    logger.info('there is room')
    await turn()
    logger.info('as ever')`,
    file,
  )
  expect([ended.status, ended.stderr]).toEqual([0, ''])
  const lines = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.map(({ msg, lines }) => [msg, lines])).toEqual([
    ['there is room', undefined],
    ['lines of this log are missing: they could not be written', 3],
    ['as ever', undefined],
  ])
})

test('lines of one turn are written together, in order, and a process that exits within it loses none', () => {
  const file = join(folder, 'turn.log')
  const ended = run(
    `import fs from 'node:fs'
    import { syncBuiltinESMExports } from 'node:module'
    const real = fs.writeSync
    let writes = 0
    fs.writeSync = (...given) => { writes++; return real(...given) }
    syncBuiltinESMExports()
    for (let at = 0; at < 3; at++) logger.info({ at }, 'told')
    logger.warn({ writes }, 'does not wait')
    logger.info({ writes }, 'last')
    process.exit(7)`,
    file,
  )
  expect([ended.status, ended.stderr]).toEqual([7, ''])
  const lines = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.map(({ msg, at, writes }) => [msg, at ?? writes])).toEqual([
    ['told', 0],
    ['told', 1],
    ['told', 2],
    ['does not wait', 0],
    ['last', 1],
  ])
})

test('the line of a call is exactly as the logger would write it', () => {
  const file = join(folder, 'calls.log')
  const ended = run(
    `import { linesOfCalls } from '${join(import.meta.dirname, 'http/request-log.ts')}'
    const told = { reqId: 'r-1', method: 'GET', path: '/a"\\\\\u2028b', status: 200, took: 3 }
    linesOfCalls(logger)(told)
    logger.info(told, 'request')
    logger.level = 'warn'
    linesOfCalls(logger)(told)`,
    file,
  )
  expect([ended.status, ended.stderr]).toEqual([0, ''])
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  const [mine, theirs] = lines.map((line) => line.replace(/"time":\d+/, '"time":0'))
  expect([lines.length, mine]).toEqual([2, theirs])
})
