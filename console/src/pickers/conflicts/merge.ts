/** Two changes of one document, merged field by field. */
export type Fields = Readonly<Record<string, unknown>>

export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** `mine` and `theirs` were both made from `base`. `merged` takes mine where both changed a field; `clashes` names those. */
export function mergeFields(base: Fields, mine: Fields, theirs: Fields): { merged: Fields; clashes: string[] } {
  const changed = Object.keys(mine).filter((field) => !isSame(mine[field], base[field]))
  const merged = { ...theirs, ...Object.fromEntries(changed.map((field) => [field, mine[field]])) }
  const clashes = changed.filter((field) => !isSame(theirs[field], base[field]) && !isSame(theirs[field], mine[field]))
  return { merged, clashes }
}
