/** Reads challenge pages as a browser and the person before it do. */
import { createHash } from 'node:crypto'

export const answerPath = '/.well-known/breakwater/challenge'

export type Solved = { t: string; n: number }

export const tokenIn = (page: string): string => /var T="([^"]+)"/.exec(page)![1]!

/** The leading zero bits that a page asks for: `2.<ms>.<mode>.<bits>.…`. */
export const bitsIn = (page: string): number => Number(tokenIn(page).split('.')[3])

/** Does the work that a page asks for. */
export function solve(page: string): Solved {
  const t = tokenIn(page)
  const limit = 2 ** (32 - bitsIn(page))
  for (let n = 0; ; n++) if (createHash('sha256').update(`${t}:${n}`).digest().readUInt32BE(0) < limit) return { t, n }
}

/** Where a slider's gap is. */
export function gapIn(page: string): { x: number; y: number } {
  const [, x, y] = /circle cx="(\d+)" cy="(\d+)" r="14"/.exec(page)!
  return { x: Number(x), y: Number(y) }
}

/** Reads the digits of a code as a person does: by their strokes, in a grid of two by three points. */
export function digitsIn(page: string): string {
  const drawn = ['', '', '', '', '']
  for (const [, path] of page.matchAll(/<path d="(M[^"]+)"\/>/g)) {
    const points = [...path!.matchAll(/[ML](\d+) (\d+)/g)].map(([, x, y]) => [Number(x), Number(y)] as const)
    const place = Math.floor((points[0]![0] - 20) / 54)
    const line = points.map(([x, y]) => `${x - place * 54 < 48 ? 'l' : 'r'}${y < 30 ? 1 : y < 54 ? 2 : 3}`)
    drawn[place] += ` ${line.join('')}`
  }
  const seen = [
    ' l1r1r3l3l1',
    ' l2l1l3',
    ' l1r1r2l2l3r3',
    ' l1r1r3l3 l2r2',
    ' l1l2r2 r1r3',
    ' r1l1l2r2r3l3',
    ' r1l1l3r3r2l2',
    ' l1r1l3',
    ' l1r1r3l3l1 l2r2',
    ' r2l2l1r1r3',
  ]
  return drawn.map((digit) => seen.indexOf(digit)).join('')
}
