/** Lays out cells on a grid: move, resize, close gaps. Pure functions. */
export type Cell = { id: string; x: number; y: number; w: number; h: number }

export const gridColumns = 12
export const sizes = { wMin: 2, hMin: 1, hMax: 8 } as const

const overlap = (a: Cell, b: Cell) => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h
const clamp = (value: number, min: number, max: number) => Math.max(min, Math.min(max, value))
export const inOrder = <C extends Cell>(cells: readonly C[]): C[] => [...cells].sort((a, b) => a.y - b.y || a.x - b.x)

/** Moves each cell up until it meets another; the cell `first` goes before the others of its row. */
function pullUp<C extends Cell>(cells: readonly C[], first?: string): C[] {
  const placed: C[] = []
  const order = [...cells].sort((a, b) => a.y - b.y || Number(b.id === first) - Number(a.id === first) || a.x - b.x)
  for (const cell of order) {
    const isFree = (y: number) => !placed.some((other) => overlap({ ...cell, y }, other))
    let { y } = cell
    while (!isFree(y)) y += 1
    while (y > 0 && isFree(y - 1)) y -= 1
    placed.push({ ...cell, y })
  }
  return inOrder(placed)
}

/** Moves or resizes a cell within the grid; the others make room and close gaps. */
export function arrange<C extends Cell>(cells: readonly C[], id: string, to: Partial<Omit<Cell, 'id'>>): C[] {
  const cell = cells.find((one) => one.id === id)
  if (!cell) return inOrder(cells)
  const w = clamp(to.w ?? cell.w, sizes.wMin, to.w === undefined ? gridColumns : gridColumns - cell.x)
  const h = clamp(to.h ?? cell.h, sizes.hMin, sizes.hMax)
  const next = { ...cell, w, h, x: clamp(to.x ?? cell.x, 0, gridColumns - w), y: Math.max(0, to.y ?? cell.y) }
  return pullUp(
    cells.map((one) => (one.id === id ? next : one)),
    id,
  )
}

/** Adds a new cell below all others. */
export const append = <C extends Cell>(cells: readonly C[], cell: C): C[] =>
  pullUp([...cells, { ...cell, x: 0, y: Math.max(0, ...cells.map(({ y, h }) => y + h)) }])

export const without = <C extends Cell>(cells: readonly C[], id: string): C[] =>
  pullUp(cells.filter((cell) => cell.id !== id))

/** Returns the row for a cell that moves a step up or down: past the neighbour in its way. */
export function stepRow(cells: readonly Cell[], cell: Cell, side: -1 | 1): number {
  const inColumn = cells.filter((one) => one.id !== cell.id && one.x < cell.x + cell.w && cell.x < one.x + one.w)
  if (side === 1) {
    const below = inOrder(inColumn.filter(({ y }) => y >= cell.y + cell.h))[0]
    // One row below the neighbour's top: the neighbour then sorts first, and this cell comes after it.
    return below ? below.y + 1 : cell.y
  }
  const above = inOrder(inColumn.filter(({ y, h }) => y + h <= cell.y)).at(-1)
  return above ? above.y : Math.max(0, cell.y - 1)
}
