import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makeShapes } from './make.ts'

test('what nginx checks is what the contract says; `npm run build -w edge` writes it', () => {
  expect(readFileSync(new URL('../request/sites/shapes.ts', import.meta.url), 'utf8')).toBe(makeShapes())
})
