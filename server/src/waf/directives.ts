/** Parses SecLang into a list of directives: a name and its arguments, with the file and line where each begins. */

/** A location in a file. */
export type Place = { file: string; line: number }
export type Directive = Place & { name: string; arguments: string[] }

/** Something that the compiler does not support, with its location for the author of the rule. */
export class SecLangError extends Error {
  readonly place: Place
  readonly reason: string

  constructor(place: Place, reason: string) {
    super(`${place.file}:${place.line}: ${reason}`)
    this.place = { file: place.file, line: place.line }
    this.reason = reason
  }
}

/** The first error of each file. */
export class SecLangErrors extends Error {
  readonly list: readonly SecLangError[]

  constructor(list: readonly SecLangError[]) {
    super(list.map(({ message }) => message).join('\n'))
    this.list = list
  }
}

/** Lines that end in a backslash continue on the next. Comments and empty lines are skipped. */
export function directivesOf(file: string, text: string): Directive[] {
  const directives: Directive[] = []
  const lines = text.split(/\r?\n/)
  for (let i = 0; i < lines.length; i++) {
    const place = { file, line: i + 1 }
    let joined = lines[i]!.trim()
    if (joined === '' || joined.startsWith('#')) continue
    while (joined.endsWith('\\')) {
      i += 1
      if (i >= lines.length) throw new SecLangError(place, 'the last line goes on')
      joined = joined.slice(0, -1) + lines[i]!.trim()
    }
    const [name, ...rest] = wordsOf(joined, place)
    directives.push({ ...place, name: name!, arguments: rest })
  }
  return directives
}

/** Words, or texts in double quotes, in which a backslash escapes a quote. */
function wordsOf(text: string, place: Place): string[] {
  const words: string[] = []
  let at = 0
  while (at < text.length) {
    if (/\s/.test(text[at]!)) {
      at += 1
    } else if (text[at] === '"') {
      const end = endOfQuote(text, at + 1, place)
      words.push(text.slice(at + 1, end).replaceAll('\\"', '"'))
      at = end + 1
    } else {
      const word = /^\S+/.exec(text.slice(at))![0]
      words.push(word)
      at += word.length
    }
  }
  return words
}

function endOfQuote(text: string, from: number, place: Place): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"') return at
  }
  throw new SecLangError(place, 'a quote has no end')
}

/** The actions of a rule: `name` or `name:value`, separated by commas outside of single quotes. */
export function actionsOf(text: string): { name: string; value: string }[] {
  const parts: string[] = []
  let part = ''
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!
    if (char === '\\' && text[at + 1] === "'") {
      part += "'"
      at += 1
    } else if (char === "'") isQuoted = !isQuoted
    else if (char === ',' && !isQuoted) {
      parts.push(part)
      part = ''
    } else part += char
  }
  parts.push(part)
  return parts
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map((one) => {
      const colon = one.indexOf(':')
      return colon < 0 ? { name: one, value: '' } : { name: one.slice(0, colon), value: one.slice(colon + 1) }
    })
}
