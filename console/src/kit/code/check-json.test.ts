import { expect, test } from 'vitest'
import { checkJson } from './check-json.ts'

test('reports the line where the text stops being JSON', () => {
  expect(checkJson('{"a": 1}')).toBeUndefined()
  expect(checkJson('  \n')).toBeUndefined()
  expect(checkJson('{\n  "a": 1,\n  b: 2\n}')).toEqual({ line: 3, reason: 'json' })
  expect(checkJson('{\n  "a": [1, 2\n')).toMatchObject({ reason: 'json' })
  expect(checkJson('nothing')).toEqual({ line: 1, reason: 'json' })
})
