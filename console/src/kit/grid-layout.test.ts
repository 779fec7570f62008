import { expect, test } from 'vitest'
import { append, arrange, type Cell, stepRow, without } from './grid-layout.ts'

const cell = (id: string, x: number, y: number, w: number, h: number): Cell => ({ id, x, y, w, h })
const board = [cell('a', 0, 0, 12, 1), cell('b', 0, 1, 6, 2), cell('c', 6, 1, 6, 2), cell('d', 0, 3, 12, 2)]
const at = (cells: Cell[]) => Object.fromEntries(cells.map(({ id, x, y, w, h }) => [id, [x, y, w, h].join()]))

/** Checks that no two cells overlap. */
function expectTidy(cells: Cell[]) {
  const taken = new Set<string>()
  for (const { x, y, w, h } of cells) {
    for (let i = x; i < x + w; i++) {
      for (let j = y; j < y + h; j++) {
        expect(taken.has(`${i}/${j}`)).toBe(false)
        taken.add(`${i}/${j}`)
      }
    }
  }
}

test('a cell that is put in the place of another pushes it down', () => {
  const next = arrange(board, 'd', { x: 0, y: 1 })
  expect(at(next)).toEqual({ a: '0,0,12,1', d: '0,1,12,2', b: '0,3,6,2', c: '6,3,6,2' })
  expectTidy(next)
})

test('sizes stay within the grid', () => {
  expect(at(arrange(board, 'c', { w: 99, h: 99 })).c).toBe('6,1,6,8')
  expect(at(arrange(board, 'b', { w: 0, h: 0 })).b).toBe('0,1,2,1')
  expect(at(arrange(board, 'b', { x: 99 })).b).toBe('6,1,6,2')
})

test('gaps close when a cell is removed', () => {
  expect(at(without(board, 'a'))).toEqual({ b: '0,0,6,2', c: '6,0,6,2', d: '0,2,12,2' })
})

test('a new cell is placed below all others', () => {
  expect(at(append(board, cell('e', 0, 0, 4, 2))).e).toBe('0,5,4,2')
})

test('a step up or down passes the neighbour', () => {
  const down = arrange(board, 'b', { y: stepRow(board, board[1]!, 1) })
  expect(down.findIndex(({ id }) => id === 'b')).toBe(3)
  const up = arrange(board, 'd', { y: stepRow(board, board[3]!, -1) })
  expect(at(up).d).toBe('0,1,12,2')
})

test('after any move, the grid stays tidy', () => {
  let cells = board
  for (let i = 0; i < 200; i++) {
    cells = arrange(cells, 'abcd'[i % 4]!, { x: (i * 7) % 12, y: (i * 5) % 8, w: 2 + (i % 9), h: 1 + (i % 3) })
    expectTidy(cells)
    expect(cells).toHaveLength(4)
  }
})
