/**
 * No regular expression that the API applies to a text takes long, whatever the text: each is tried on a few characters
 * repeated many times. One with nested repetition takes years on a line of 600 bytes, and blocks everybody else.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createContext, Script } from 'node:vm'
import ts from 'typescript'
import { expect, test } from 'vitest'

const bytes = 10_000
/** The limit for all texts of one expression together, which take about ten if none takes quadratic time. */
const milliseconds = 2_000
const certificate = '-----BEGIN CERTIFICATE-----A-----END CERTIFICATE-----\n\n\n'
const pieces = [
  ...[' ', '\n', '\t', 'a', 'A', '0', '-', '=', '/', '"', "'", '\\', '.', ',', ';', ':', '@', '<', '>', '(', ')', '['],
  ...['{', '%', '%20', 'a=', 'a,', 'a ', 'a.', 'a-', 'a:', '0.', '1 ', '\\"', '--', 'x;', '&', '#', '{a}', '$', '://'],
  ...['a/', '_', '*', '+', '|', certificate],
]
const heads = ['', 'x', '"', '<', 'https://']

/**
 * The console is not checked: its expressions run on what its own user types. Import files and rule sets are read in
 * separate processes.
 */
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

/** The text that an expression is slow on; undefined if there is none. */
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

test('every expression returns quickly', () => {
  const expressions = files.flatMap(expressionsIn)
  expect(expressions.length).toBeGreaterThan(200)
  const slow = expressions.flatMap(({ place, text }) => {
    const on = slowOn(text)
    return on === undefined ? [] : [{ place, text, on }]
  })
  expect(slow).toEqual([])
})
