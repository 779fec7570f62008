/** Finds where a text stops being JSON. */

/** Returns the line, counted from 1, and the key of the reason; undefined if the text is JSON or empty. */
export function checkJson(text: string): { line: number; reason: string } | undefined {
  if (text.trim() === '') return undefined
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    const said = String(error)
    const line = /line (\d+)/.exec(said)?.[1]
    const position = /position (\d+)/.exec(said)?.[1]
    // An unexpected end has no position: it is the last line.
    const before = position === undefined ? text.trimEnd() : text.slice(0, Number(position))
    return { line: line === undefined ? before.split('\n').length : Number(line), reason: 'json' }
  }
}
