/**
 * What sites have in common is compiled once a worker, by the name of its content: ten thousand sites with the same
 * settings hold one copy of them, and it goes with the last of them.
 */

/** Things of one kind: gives what was made under a name, or what `make` makes now. */
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
