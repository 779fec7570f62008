import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makeShapes } from './make.ts'

test('the shapes that nginx checks match the contract; `npm run build -w edge` writes them', () => {
  expect(readFileSync(new URL('../request/sites/shapes.ts', import.meta.url), 'utf8')).toBe(makeShapes())
})
