/**
 * No expression that the API holds texts against takes long, whatever the text: each is tried on few characters over and
 * over. One that repeats what it repeats takes years of a line of 600 bytes, and nobody else is answered meanwhile.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createContext, Script } from 'node:vm'
import ts from 'typescript'
import { expect, test } from 'vitest'

const bytes = 10_000
/** For all texts of one expression, which take some ten where none takes the square of it. */
const milliseconds = 2_000
const certificate = '-----BEGIN CERTIFICATE-----A-----END CERTIFICATE-----\n\n\n'
const pieces = [
  ...[' ', '\n', '\t', 'a', 'A', '0', '-', '=', '/', '"', "'", '\\', '.', ',', ';', ':', '@', '<', '>', '(', ')', '['],
  ...['{', '%', '%20', 'a=', 'a,', 'a ', 'a.', 'a-', 'a:', '0.', '1 ', '\\"', '--', 'x;', '&', '#', '{a}', '$', '://'],
  ...['a/', '_', '*', '+', '|', certificate],
]
const heads = ['', 'x', '"', '<', 'https://']

/** In the console these are asked of what its own user types. Files of imports and rule sets are read in processes apart. */
const rooms = ['contract/src', 'server/src']
const apart = /^server\/src\/(import|waf|address-data|engines)\/|^contract\/src\/modules\/acl\/complete\.ts$/

const root = resolve(import.meta.dirname, '../..')
const files = rooms.flatMap((room) =>
  readdirSync(join(root, room), { recursive: true, encoding: 'utf8' })
    .map((path) => `${room}/${path}`)
    .filter((path) => /\.ts$/.test(path) && !/\.test\.ts$|\/testing\//.test(path) && !apart.test(path)),
)

function expressionsIn(file: string): { place: string; text: string }[] {
  const source = ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true)
  const found: { place: string; text: string }[] = []
  const walk = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart())
      found.push({ place: `${file}:${line + 1}`, text: node.text })
    }
    ts.forEachChild(node, walk)
  }
  walk(source)
  return found
}

const texts = heads.flatMap((head) => pieces.map((piece) => `${head}${piece.repeat(bytes / piece.length)}\u0001`))
const world = createContext({ texts, asked: 0 })

/** The text that it takes long on; nothing where there is none. */
function slowOn(expression: string): string | undefined {
  try {
    new Script(`for (asked = 0; asked < texts.length; asked++) ${expression}.test(texts[asked])`).runInContext(world, {
      timeout: milliseconds,
    })
    return undefined
  } catch {
    return texts[world.asked as number]!.slice(0, 100)
  }
}

test('each expression answers at once', () => {
  const expressions = files.flatMap(expressionsIn)
  expect(expressions.length).toBeGreaterThan(200)
  const slow = expressions.flatMap(({ place, text }) => {
    const on = slowOn(text)
    return on === undefined ? [] : [{ place, text, on }]
  })
  expect(slow).toEqual([])
})
