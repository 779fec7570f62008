/** Objects that are created once: an `Intl` formatter takes up to a millisecond, and every row of a list needs some. */

/** Creates an object once per key. Only for few keys, such as languages and time zones: entries are never evicted. */
export function kept<Key, T>(make: (key: Key) => T): (key: Key) => T {
  const all = new Map<Key, T>()
  return (key) => {
    if (!all.has(key)) all.set(key, make(key))
    return all.get(key)!
  }
}

/** Creates an object on first use. */
export const later = <T>(make: () => T): (() => T) => kept<void, T>(make)
