/**
 * Every kit block that a screen uses has a story, in which it is tested with the keyboard, in both themes and three
 * languages.
 */
import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'

const source = join(import.meta.dirname, '..')
const rooms = (pattern: string) => globSync(pattern, { cwd: source }).map((file) => join(source, file))

/** Returns `Toggle.tsx Switch` for each kit component that a file imports, statically or lazily. */
function componentsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  const at = [...text.matchAll(/import \{([^}]*)\} from '([^']*)'/g)].flatMap(([, names, from]) =>
    names!.split(',').map((name) => [name.trim(), from!] as const),
  )
  const later = [...text.matchAll(/import\('([^']*)'\)[^\n]*?\bfile\.(\w+)/g)].map(
    ([, from, name]) => [name!, from!] as const,
  )
  return [...at, ...later]
    .filter(([name, from]) => /^[A-Z]\w*[a-z]/.test(name) && from.endsWith('.tsx'))
    .map(([name, from]) => [name, relative(join(source, 'kit'), join(file, '..', from))] as const)
    .filter(([name, from]) => !from.startsWith('..') && isComponent(name, from))
    .map(([name, from]) => `${from} ${name}`)
}

/** A kit file also exports types. */
const isComponent = (name: string, file: string) =>
  new RegExp(`export (function|const) ${name}\\b`).test(readFileSync(join(source, 'kit', file), 'utf8'))

test('every kit component that screens use has a story', () => {
  const used = rooms('**/*.{ts,tsx}').filter((file) => !/\/(kit|gallery)\//.test(file))
  const fields = rooms('kit/fields/fields-of.ts')
  const given = new Set([...used, ...fields].flatMap(componentsOf))
  const shown = new Set(rooms('gallery/**/*.tsx').flatMap(componentsOf))
  expect(given.size).toBeGreaterThan(40)
  expect(
    [...given].filter((one) => !shown.has(one)),
    'without a story in console/src/gallery/stories',
  ).toEqual([])
})
