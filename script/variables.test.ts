import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { variables, variablesPage } from './variables.ts'

const root = join(import.meta.dirname, '..')

/** System variables, which are not settings of Breakwater. */
const ofTheSystem = new Set(['PATH', 'LD_PRELOAD'])

/** Files that read the environment: all code except tests and the declaration itself. */
const files = execFileSync('git', ['ls-files', 'contract/src', 'server/src', 'edge/src', 'script', 'deploy'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && !/\.test\.ts$|\/testing\/|\.md$|^script\/variables\.ts$/.test(path))

/** Our own names anywhere, and other names where they are read from an environment. */
function namesIn(text: string): string[] {
  const ours = /\b(?:BREAKWATER|EDGE)_[A-Z0-9_]*[A-Z0-9]\b/g
  const read =
    /(?:process\.env|\benv|\benvironment)\.([A-Z][A-Z0-9_]+)|\b(?:number|required|integer)\((?:env, )?'([A-Z_]+)'/g
  const others = [...text.matchAll(read)].map(([, dotted, named]) => dotted ?? named ?? '')
  return [...(text.match(ours) ?? []), ...others].filter((name) => !ofTheSystem.has(name))
}

const used = new Set(files.flatMap((path) => namesIn(readFileSync(join(root, path), 'utf8'))))
const declared = new Set(variables.map(({ name }) => name))

test('every variable that the code reads is declared', () => {
  expect([...used].filter((name) => !declared.has(name))).toEqual([])
})

test('every declared variable is read, and declared once', () => {
  expect([...declared].filter((name) => !used.has(name))).toEqual([])
  expect(declared.size).toBe(variables.length)
})

test('docs/variables.md matches the declarations', () => {
  expect(readFileSync(join(root, 'docs/variables.md'), 'utf8')).toBe(variablesPage())
})
