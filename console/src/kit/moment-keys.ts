/** Keys for a typed point in time, `2026-11-21 14:05`: up and down change the part at the caret. */
import type { KeyboardEvent } from 'react'
import { readWall, writeWall } from '../platform/time-zone.ts'

/** The offset at which each part ends. */
const parts = [
  { end: 4, step: (at: Date, by: number) => at.setUTCFullYear(at.getUTCFullYear() + by) },
  { end: 7, step: (at: Date, by: number) => at.setUTCMonth(at.getUTCMonth() + by) },
  { end: 10, step: (at: Date, by: number) => at.setUTCDate(at.getUTCDate() + by) },
  { end: 13, step: (at: Date, by: number) => at.setUTCHours(at.getUTCHours() + by) },
  { end: 16, step: (at: Date, by: number) => at.setUTCMinutes(at.getUTCMinutes() + by) },
]

/** Returns the text with one part stepped; undefined if it is not a valid time. */
export function stepped(text: string, caret: number, by: 1 | -1): string | undefined {
  const seconds = readWall(text)
  if (seconds === undefined) return undefined
  const at = new Date(seconds * 1000)
  const part = parts.find(({ end }) => caret <= end) ?? parts.at(-1)!
  part.step(at, by)
  return writeWall(at.getTime() / 1000)
}

/** For the `onKeyDown` of the field; the caret stays in its part. */
export function stepByKey(event: KeyboardEvent<HTMLInputElement>, write: (text: string) => void): void {
  const by = ({ ArrowUp: 1, ArrowDown: -1 } as const)[event.key]
  const input = event.currentTarget
  const caret = input.selectionStart ?? 0
  const next = by && stepped(input.value, caret, by)
  if (!next) return
  event.preventDefault()
  write(next)
  requestAnimationFrame(() => input.setSelectionRange(caret, caret))
}
