import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { trimmed } from './trimmed.ts'

test.each([
  ['', ''],
  ['a', 'a'],
  [' a', 'a'],
  ['a ', 'a'],
  [' ', ''],
  ['   ', ''],
  ['\t\r\n a  b \v\f', 'a  b'],
  ['  a', 'a'],
  [' a  b', 'a  b'],
])('%j is trimmed to %j', (text, bare) => {
  expect(trimmed(text)).toBe(bare)
})

test('nothing on the request path trims with a pattern, whose time is quadratic in the spaces within a header', () => {
  const room = resolve(import.meta.dirname, '..')
  const files = readdirSync(room, { recursive: true, encoding: 'utf8' }).filter((path) => /(?<!\.test)\.ts$/.test(path))
  expect(files.length).toBeGreaterThan(100)
  const found = files.filter((path) => /\.trim(Start|End)?\(/.test(readFileSync(join(room, path), 'utf8')))
  expect(found).toEqual([])
})
