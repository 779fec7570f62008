/** Things of which each is made once: a formatter of `Intl` takes up to a millisecond, and every row of a list asks for some. */

/** Makes something once for each key. Only for few keys, such as languages and time zones: nothing is forgotten. */
export function kept<Key, T>(make: (key: Key) => T): (key: Key) => T {
  const all = new Map<Key, T>()
  return (key) => {
    if (!all.has(key)) all.set(key, make(key))
    return all.get(key)!
  }
}

/** Makes something when it is first asked for. */
export const later = <T>(make: () => T): (() => T) => kept<void, T>(make)
