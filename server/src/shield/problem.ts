/** Problems of an OpenAPI document, and notes on what is not compared. */
import type { ShieldNote, ShieldProblem } from '@breakwater/contract/firewall/api-shield.ts'

/** Rejects a document. `where` is a JSON pointer, or a line number. */
export class DocumentProblem extends Error {
  readonly reason: ShieldProblem
  readonly where: string

  constructor(reason: ShieldProblem, where = '') {
    super(`${reason} ${where}`)
    this.reason = reason
    this.where = where.slice(0, 200)
  }
}

export type Notes = { reason: ShieldNote; where: string }[]

const notesMax = 50

export function note(notes: Notes, reason: ShieldNote, where: string): void {
  const told = where.slice(0, 200)
  if (notes.length < notesMax && !notes.some((one) => one.reason === reason && one.where === told))
    notes.push({ reason, where: told })
}
