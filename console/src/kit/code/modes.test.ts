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

test('splits an expression into fields, keywords, values and comments', () => {
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

test('reads an unterminated string to the end and skips unknown characters', () => {
  expect(tokens('"open')).toEqual(['string "open'])
  expect(tokens('§§ or')).toEqual(['keyword or'])
})
