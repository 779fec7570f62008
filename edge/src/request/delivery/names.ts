/** Names that a customer listed: of parameters, cookies. One that ends in `*` stands for all that begin so. Pure. */

export type Names = { exact: Record<string, true>; beginnings: string[] }

/** `fold` makes them alike that shall count as one: lower case, where case does not tell. */
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

/** The name of a part of a query or of a Cookie header: what stands before `=`. */
export function nameIn(piece: string): string {
  const equals = piece.indexOf('=')
  return equals < 0 ? piece : piece.substring(0, equals)
}
