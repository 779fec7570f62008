/**
 * Text returned by somebody else's program: a mail server, a sign-in provider, a node. Text from our own callers is
 * checked by `http/parse.ts`.
 */

/** One line that fits any column, at most `charsMax` characters: no control characters, no lone surrogates. */
export const foreignText = (text: string, charsMax: number): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, charsMax)
    // The cut may have split a surrogate pair.
    .toWellFormed()

/** JSON for a column, whatever strings the value contains. */
export const storableJson = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'string' ? part.toWellFormed().replaceAll('\0', '\ufffd') : part,
  )
