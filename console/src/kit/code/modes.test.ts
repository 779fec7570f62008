import { StringStream } from '@codemirror/language'
import { expect, test } from 'vitest'
import { expressionToken } from './modes.ts'

function tokens(line: string): string[] {
  const stream = new StringStream(line, 2, 2)
  const found: string[] = []
  while (!stream.eol()) {
    stream.start = stream.pos
    const kind = expressionToken(stream)
    if (kind) found.push(`${kind} ${stream.current()}`)
  }
  return found
}

test('an expression is told apart into fields, words, values and remarks', () => {
  expect(tokens('path matches "^/lo\\"gin" and ip in {192.0.2.0/24} # bots')).toEqual([
    'variableName path',
    'keyword matches',
    'string "^/lo\\"gin"',
    'keyword and',
    'variableName ip',
    'keyword in',
    'number 192.0.2.0/24',
    'comment # bots',
  ])
})

test('a text that does not end is read to its end, and whatever is odd is passed over', () => {
  expect(tokens('"open')).toEqual(['string "open'])
  expect(tokens('§§ or')).toEqual(['keyword or'])
})
