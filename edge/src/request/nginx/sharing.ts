/**
 * What sites have in common is compiled once per worker and identified by its content: ten thousand sites with the same
 * settings share one copy, which is freed with the last of them.
 */

/** A cache for one kind of object: returns the object of that name, or creates it with `make`. */
export function sharing<T extends object>(): (this: void, name: string, make: (this: void) => T) => T {
  const known = setmetatable({} as Record<string, T>, { __mode: 'v' } as never)
  return (name, make) => {
    const before = known[name]
    if (before !== undefined) return before
    const made = make()
    known[name] = made
    return made
  }
}
