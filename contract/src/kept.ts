/** Things of which each is made once: a formatter of `Intl` takes up to a millisecond, and every row of a list asks for some. */

/** Makes something when it is first asked for. */
export function later<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** Makes something once for each key. Only for few keys, such as languages and time zones: nothing is forgotten. */
export function kept<Key, T>(make: (key: Key) => T): (key: Key) => T {
  const all = new Map<Key, T>()
  return (key) => {
    const known = all.get(key)
    if (known !== undefined) return known
    const made = make(key)
    all.set(key, made)
    return made
  }
}
