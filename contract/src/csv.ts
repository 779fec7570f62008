/** CSV as spreadsheets read and write it (RFC 4180), with cells that cannot become formulas. */

export type Cell = string | number

/**
 * Text that a spreadsheet would run gets a leading apostrophe, and so does text that looks as if it already had one.
 */
const formula = /^'*[=+\-@\t\r]/

function cellText(cell: Cell): string {
  if (typeof cell === 'number') return String(cell)
  const safe = formula.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A line of a file. Numbers are our own and need no escaping. */
export const csvLine = (cells: readonly Cell[]): string => `${cells.map(cellText).join(',')}\r\n`

/** The cells of a file that `csvLine` or a spreadsheet wrote, unescaped. Empty lines are skipped. */
export function readCsv(text: string): string[][] {
  const lines: string[][] = []
  let cells: string[] = []
  // A quoted cell, or everything up to the next comma or line end; then the delimiter.
  const cell = /(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|\r|$)/gy
  const source = text.replace(/^\uFEFF/, '')
  while (cell.lastIndex < source.length) {
    // Always found: text after a closing quote belongs to no quoted cell, so all of it is a plain one.
    const [, quoted, plain = '', end] = cell.exec(source)!
    const value = quoted === undefined ? plain : quoted.replaceAll('""', '"')
    cells.push(value.startsWith("'") && formula.test(value) ? value.slice(1) : value)
    if (end === ',') {
      if (cell.lastIndex < source.length) continue
      cells.push('')
    }
    if (cells.some((one) => one !== '')) lines.push(cells)
    cells = []
  }
  return lines
}
