/**
 * The items of a text, one a line. `apart`: several may stand on a line, with commas, semicolons or tabs between, as lists
 * of addresses are pasted; only where no item holds any.
 */
export const linesOf = (text: string, apart: boolean): string[] =>
  text === '' ? [] : text.split(apart ? /\r?\n|[,;\t]\s*/ : /\r?\n/)
