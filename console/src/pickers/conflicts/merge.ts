/** Merges two changes of one document field by field. */
export type Fields = Readonly<Record<string, unknown>>

export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/**
 * `mine` and `theirs` are both based on `base`. `merged` takes mine if both changed a field; `clashes` lists those
 * fields.
 */
export function mergeFields(base: Fields, mine: Fields, theirs: Fields): { merged: Fields; clashes: string[] } {
  const changed = Object.keys(mine).filter((field) => !isSame(mine[field], base[field]))
  const merged = { ...theirs, ...Object.fromEntries(changed.map((field) => [field, mine[field]])) }
  const clashes = changed.filter((field) => !isSame(theirs[field], base[field]) && !isSame(theirs[field], mine[field]))
  return { merged, clashes }
}
