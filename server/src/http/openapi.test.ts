import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { AnyEndpoint } from '@breakwater/contract/endpoint.ts'
import { api } from '@breakwater/contract/index.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openapi } from './openapi.ts'

const endpoints = Object.values(api).flatMap((group) => Object.values(group) as AnyEndpoint[])
const whole = openapi(endpoints)
const { paths, components } = whole as { paths: Record<string, Record<string, Operation>>; components: Components }
type Operation = { summary: string; parameters: { $ref?: string }[]; responses: Record<string, { $ref?: string }> }
type Components = { schemas: Record<string, Schema>; responses: Record<string, { headers?: object }> }
type Schema = { enum?: unknown[]; description?: string }

// The user's document is a subset of the whole one: the tools also read it in `script/test --all`.
const documents = process.env.BREAKWATER_TESTS === 'all' ? ['whole.json', 'user.json'] : ['whole.json']

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'openapi-'))
  writeFileSync(join(folder, 'whole.json'), JSON.stringify(whole))
  writeFileSync(join(folder, 'user.json'), JSON.stringify(openapi(endpoints, 'user')))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Runs a tool as its users do. If it exits with an error, fails with its output. */
async function run(name: string, program: string, ...args: string[]): Promise<string> {
  const { resolve } = createRequire(import.meta.url)
  const path = join(dirname(resolve(`${name}/package.json`)), program)
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [path, ...args], { cwd: folder, env })
  return stdout + stderr
}

test.each(['whole.json', 'user.json'])(
  'redocly lint finds no errors in %s, and no warnings except about paths of the specification',
  async (name) => {
    const report = await run('@redocly/cli', 'bin/cli.js', 'lint', name, '--format=json')
    const { problems, totals } = JSON.parse(report.slice(report.indexOf('{'), report.lastIndexOf('}') + 1))
    expect(totals.errors).toBe(0)
    expect(new Set(problems.map((problem: { ruleId: string }) => problem.ruleId))).toEqual(
      new Set(['no-ambiguous-paths']),
    )
  },
)

test.each(documents)('openapi-typescript generates types from %s', async (name) => {
  await run('openapi-typescript', 'bin/cli.js', name, '-o', `${name}.ts`)
  expect(readFileSync(join(folder, `${name}.ts`), 'utf8')).toContain('BlockType: 1 | 2 | 3 | 4 | 5')
})

test.each(documents)('@hey-api/openapi-ts generates a client from %s', async (name) => {
  await run('@hey-api/openapi-ts', 'bin/run.js', '-i', name, '-o', `${name}-client`, '--no-log-file')
  expect(readFileSync(join(folder, `${name}-client/types.gen.ts`), 'utf8')).toContain('export type RuleMode =')
})

/** Every schema in the document with its path. */
function* schemasIn(value: unknown, at = ''): Generator<[string, Schema & { anyOf?: { const?: unknown }[] }]> {
  if (value === null || typeof value !== 'object') return
  yield [at, value]
  for (const [key, part] of Object.entries(value)) yield* schemasIn(part, `${at}/${key}`)
}

test('every enumeration is a component with a description, except the sort columns of lists', () => {
  const unnamed = [...schemasIn(paths)].filter(([at, { enum: values, anyOf = [] }]) => {
    const isEnumeration =
      (Array.isArray(values) && values.length > 1) ||
      (Array.isArray(anyOf) && anyOf.filter((option) => option?.const !== undefined).length > 1)
    return isEnumeration && !/sortBy|parameters\/\d+\/schema$/.test(at)
  })
  expect(unnamed.map(([at]) => at)).toEqual([])
  const silent = Object.entries(components.schemas).filter(([, schema]) => schema.enum && !schema.description)
  expect(silent.map(([name]) => name)).toEqual([])
})

test('no text refers to a document that its reader does not have', () => {
  const texts = [...schemasIn(whole)].flatMap(([at, value]) => {
    const { summary, description } = value as { summary?: unknown; description?: unknown }
    return [summary, description].filter((text) => typeof text === 'string').map((text) => `${at}: ${text}`)
  })
  const internal =
    /\bgaps?\b|\brulings?\b|DESIGN|calls\.tsv|\.md\b|§|\b[A-Z]{1,2}-\d+\b|\((?:rules?|threat)[ ,]+[A-Z]?\d+/
  expect(texts.filter((text) => internal.test(text))).toEqual([])
})

test('every call has Retry-After with 429 and 503; every POST that changes something takes a key', () => {
  for (const name of ['TooManyRequests', 'Unavailable'])
    expect(components.responses[name]!.headers).toHaveProperty('Retry-After')
  for (const [path, operations] of Object.entries(paths)) {
    for (const { responses } of Object.values(operations)) {
      expect(responses[429]?.$ref, path).toContain('TooManyRequests')
      expect(responses[503]?.$ref, path).toContain('Unavailable')
    }
  }
  const create = paths['/user/site/{siteId}/firewall/l7/secondRates']!.post!
  expect(create.parameters.map(({ $ref }) => $ref)).toContain('#/components/parameters/IdempotencyKey')
})
