import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { identifyProcess } from '../../server/src/engines/process-identity.ts'
import { makeBackoff } from './backoff.ts'
import { startCommand } from './command.ts'
import { type Kept, keep } from './keep.ts'
import { openLog } from './log-file.ts'
import { openNotes } from './orphans.ts'

const dataFolder = mkdtempSync(join(tmpdir(), 'breakwater-test-'))
const kept: Kept[] = []
const log = openLog(join(dataFolder, 'child.log'))

afterEach(async () => {
  for (const part of kept.splice(0)) await part.stop()
})

afterAll(() => rmSync(dataFolder, { recursive: true, force: true }))

/** A child that runs until it is stopped, with its starts and deaths recorded. */
async function keepChild(name: string, script: string, journal: string[] = []) {
  const pids: number[] = []
  const command = { program: 'sh', args: ['-c', script], env: process.env, folder: tmpdir() }
  const part = await keep(
    { name, start: () => startCommand(command, log) },
    {
      started: (_, pid) => pids.push(pid ?? 0),
      died: (_, how) => journal.push(how),
    },
    // Jitter of zero: no waiting in tests.
    makeBackoff(() => 0),
  )
  kept.push(part)
  return { part, pids, journal }
}

test('a part that dies is restarted', async () => {
  const { pids, journal } = await keepChild('sleeper', 'exec sleep 1000')
  process.kill(pids[0]!, 'SIGKILL')
  await vi.waitUntil(() => pids.length === 2)
  expect(journal).toEqual(['ended by SIGKILL'])
  expect(identifyProcess(pids[1]!)).toBeDefined()
})

test('a part that was stopped stays stopped', async () => {
  const { part, pids, journal } = await keepChild('sleeper', 'exec sleep 1000')
  await part.stop()
  expect(identifyProcess(pids[0]!)).toBeUndefined()
  expect([pids.length, journal]).toEqual([1, []])
})

test('a part that fails to restart is retried until it starts', async () => {
  let starts = 0
  const command = { program: 'sleep', args: ['1000'], env: process.env, folder: tmpdir() }
  const reasons: string[] = []
  const start = () => {
    starts++
    if (starts === 2) throw new Error('the port is taken')
    return startCommand(command, log)
  }
  const pids: (number | undefined)[] = []
  const watch = {
    started: (_: string, pid: number | undefined) => pids.push(pid),
    died: (_: string, how: string) => reasons.push(how),
  }
  kept.push(
    await keep(
      { name: 'stubborn', start },
      watch,
      makeBackoff(() => 0),
    ),
  )
  process.kill(pids[0]!)
  await vi.waitUntil(() => pids.length === 2)
  expect(reasons).toEqual(['ended by SIGTERM', 'the port is taken'])
})

test('a part that waits for its next start can be stopped at once', async () => {
  const journal: string[] = []
  const command = { program: 'true', args: [], env: process.env, folder: tmpdir() }
  const part = await keep(
    { name: 'short-lived', start: () => startCommand(command, log) },
    { started: () => undefined, died: (_, how, retryMs) => journal.push(`${how}, ${retryMs}`) },
    { nextMs: () => 1_000_000 },
  )
  await vi.waitUntil(() => journal.length === 1)
  await part.stop()
  expect(journal).toEqual(['ended with code 0, 1000000'])
})

test('three quick deaths are forgiven, then the wait doubles up to five seconds; uptime makes up for deaths', () => {
  const backoff = makeBackoff(() => 1)
  const waits = Array.from({ length: 9 }, () => backoff.nextMs(100))
  expect(waits).toEqual([50, 50, 50, 500, 1000, 2000, 4000, 5000, 5000])
  expect(backoff.nextMs(8_000)).toBe(2000)
  expect(backoff.nextMs(60_000)).toBe(50)
  const killedNowAndThen = Array.from({ length: 50 }, () => backoff.nextMs(2_000))
  expect(Math.max(...killedNowAndThen)).toBe(50)
})

test('a child left by an earlier supervisor is stopped, with those of its own children that outlive it', async () => {
  const notes = openNotes(dataFolder)
  // As when an nginx master is killed: the worker continues without it.
  const script = 'sleep 1000 & echo $!; wait'
  const command = { program: 'sh', args: ['-c', script], env: process.env, folder: notes.folder }
  const master = startCommand(command, log)
  notes.write('nginx', master.pid!)
  await vi.waitUntil(() => log.last() !== '')
  process.kill(master.pid!, 'SIGKILL')
  await master.exited
  expect(identifyProcess(Number(log.last()))).toBeDefined()
  expect(await openNotes(dataFolder).endAll()).toEqual(['nginx'])
  expect(identifyProcess(Number(log.last()))).toBeUndefined()
})

test('a child left by an earlier supervisor is adopted by the next one, and restarted when it dies', async () => {
  const notes = openNotes(dataFolder)
  const command = { program: 'sleep', args: ['1000'], env: process.env, folder: notes.folder }
  const start = () => startCommand(command, log)
  const left = start()
  notes.write('left', left.pid!)
  const next = openNotes(dataFolder)
  expect([next.anyRuns(), next.runs('left'), next.runs('other')]).toEqual([true, true, false])
  const pids: (number | undefined)[] = []
  const watch = { started: (_: string, pid: number | undefined) => pids.push(pid), died: () => undefined }
  let adopts = true
  const part = {
    name: 'left',
    start() {
      const adopted = adopts ? next.adopt('left') : undefined
      adopts = false
      return adopted ?? start()
    },
  }
  const own = await keep(
    part,
    watch,
    makeBackoff(() => 0),
  )
  kept.push(own)
  expect(pids).toEqual([left.pid])
  process.kill(left.pid!, 'SIGKILL')
  await vi.waitUntil(() => pids.length === 2)
  await own.stop()
  expect(identifyProcess(pids[1]!)).toBeUndefined()
})

test('a process that reuses the PID of a dead child is left alone', async () => {
  const { pids } = await keepChild('stranger', 'exec sleep 1000')
  const notes = openNotes(dataFolder)
  notes.write('agent', pids[0]!)
  const { writeFileSync } = await import('node:fs')
  writeFileSync(join(notes.folder, 'agent.json'), JSON.stringify({ pid: pids[0], startedAt: '1' }))
  expect(await notes.endAll()).toEqual([])
  expect(identifyProcess(pids[0]!)).toBeDefined()
})
