/**
 * Returns the items of a text, one per line. `apart`: a line may hold several, separated by commas, semicolons or tabs,
 * as in pasted lists of addresses; only if no item can contain these.
 */
export const linesOf = (text: string, apart: boolean): string[] =>
  text === '' ? [] : text.split(apart ? /\r?\n|[,;\t]\s*/ : /\r?\n/)
