/** Text that somebody else's program answered: a mail server, a sign-in provider, a node. Our own callers' text is checked by `http/parse.ts`. */

/** One line that every column can hold, at most so many characters: no control characters, no half surrogate pair. */
export const foreignText = (text: string, charsMax: number): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, charsMax)
    // The cut may have split a pair.
    .toWellFormed()

/** JSON for a column, whatever texts are in the value. */
export const storableJson = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'string' ? part.toWellFormed().replaceAll('\0', '\ufffd') : part,
  )
