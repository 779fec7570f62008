/** Names that a customer listed, of parameters or cookies. One that ends in `*` is a prefix. Pure. */

export type Names = { exact: Record<string, true>; beginnings: string[] }

/** `fold` maps names that count as the same to one form, for example to lower case if case is irrelevant. */
export function namesOf(names: readonly string[], fold: (name: string) => string = (name) => name): Names {
  const found: Names = { exact: {}, beginnings: [] }
  for (const name of names) {
    const folded = fold(name)
    if (folded.endsWith('*')) found.beginnings.push(folded.substring(0, folded.length - 1))
    else found.exact[folded] = true
  }
  return found
}

export function isNamed(names: Names, name: string): boolean {
  if (names.exact[name] === true) return true
  for (const beginning of names.beginnings) if (name.startsWith(beginning)) return true
  return false
}

/** The name in a part of a query or of a Cookie header: everything before `=`. */
export function nameIn(piece: string): string {
  const equals = piece.indexOf('=')
  return equals < 0 ? piece : piece.substring(0, equals)
}
