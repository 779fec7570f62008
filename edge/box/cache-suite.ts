/**
 * Runs the public HTTP cache tests (npm http-cache-tests) against a node, with their own origin, client and scoring,
 * separated into required, optimal and check.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { freePort } from '../../tests/harness/ports.ts'
import { until } from './harness.ts'

const home = dirname(createRequire(import.meta.url).resolve('http-cache-tests/package.json'))

type Test = { id: string; kind?: string; depends_on?: string[]; browser_only?: boolean }
type Results = Record<string, true | [string, string]>
export type Outcome = 'pass' | 'fail' | 'optionalFail' | 'yes' | 'no' | 'setup' | 'harness' | 'dependency' | 'untested'
export type Score = {
  required: Record<string, string[]>
  optimal: Record<string, string[]>
  check: Record<string, string[]>
}

/** Starts the suite's origin. */
export async function startSuiteOrigin(): Promise<{ port: number; stop: () => void }> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'bw-suite-'))
  const child = run('server/server.mjs', { protocol: 'http', port: `${port}`, pidfile: join(folder, 'pid') })
  child.stdout!.resume()
  await until(
    'the suite’s origin',
    async () => (await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)) !== undefined,
  )
  return {
    port,
    stop: () => {
      child.kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function run(script: string, config: Record<string, string>): ChildProcess {
  const env = { ...process.env }
  for (const [name, value] of Object.entries(config)) env[`npm_package_config_${name}`] = value
  return spawn(process.execPath, ['--no-warnings', script], { cwd: home, env, stdio: ['ignore', 'pipe', 'inherit'] })
}

/** Runs the suite's client against an address and returns what it printed. */
export async function runSuite(base: string): Promise<Results> {
  const child = run('cli.mjs', { base, id: '' })
  let text = ''
  for await (const chunk of child.stdout!) text += chunk
  return JSON.parse(text) as Results
}

function outcomeOf(tests: Map<string, Test>, id: string, results: Results): Outcome {
  const test = tests.get(id)
  const result = results[id]
  if (test === undefined || result === undefined) return 'untested'
  for (const other of test.depends_on ?? []) {
    if (!['pass', 'yes'].includes(outcomeOf(tests, other, results))) return 'dependency'
  }
  if (result === true) return test.kind === 'check' ? 'yes' : 'pass'
  if (result[0] === 'Setup') return 'setup'
  if (result[0] !== 'Assertion') return 'harness'
  return test.kind === 'check' ? 'no' : test.kind === 'optimal' ? 'optionalFail' : 'fail'
}

/** The ids of tests by kind and outcome. */
export async function scoreOf(results: Results): Promise<Score> {
  const load = async (name: string) => (await import(join(home, 'tests', name))).default
  const suites = [...(await load('index.mjs')), await load('surrogate-control.mjs')] as { tests: Test[] }[]
  const tests = new Map(suites.flatMap((suite) => suite.tests).map((test) => [test.id, test]))
  const score: Score = { required: {}, optimal: {}, check: {} }
  for (const test of tests.values()) {
    if (test.browser_only === true) continue
    const kind = test.kind === 'optimal' || test.kind === 'check' ? test.kind : 'required'
    const outcome = outcomeOf(tests, test.id, results)
    const bucket = score[kind]
    bucket[outcome] = [...(bucket[outcome] ?? []), test.id]
  }
  return score
}
