/** Splits a rule's text into tokens, each with its place. */

export type AclToken = {
  kind: 'word' | 'string' | 'sign' | 'end'
  /** For a string: without quotes and escapes. */
  text: string
  /** Counted from 1; the column in characters. */
  line: number
  column: number
}

/** Why a text is rejected, and where. `found` is what is there. */
export type AclProblem = { line: number; column: number; reason: AclReason; found: string }
export type AclReason =
  | ('unknownCharacter' | 'openString' | 'expectedWhen' | 'expectedThen' | 'expectedField' | 'expectedName')
  | ('expectedOperator' | 'expectedValue' | 'expectedClose' | 'expectedList' | 'expectedAction' | 'expectedMode')
  | ('wrongName' | 'wrongOperator' | 'wrongValue' | 'regexSyntax' | 'regexUnsupported' | 'regexTooComplex')
  | ('expectedEnd' | 'tooDeep' | 'tooManyTests' | 'tooManyMatches' | 'tooManyValues' | 'wrongArgument')

/** Carries a problem out of the parser. */
export class AclError extends Error {
  readonly problem: AclProblem

  constructor({ line, column, text }: Pick<AclToken, 'line' | 'column' | 'text'>, reason: AclReason) {
    super(`${line}:${column} ${reason}`)
    this.problem = { line, column, reason, found: text }
  }
}

const space = /[^\S\n]+|#.*/y
/** A bare word: a keyword, a number, a country, an address. */
const word = /[A-Za-z0-9][A-Za-z0-9.:/_-]*|::[A-Za-z0-9.:/]*/y
const string = /"((?:[^"\\\n]|\\.)*)"/y
const sign = /!=|<=|>=|[=<>(){},]/y

/** A backslash before a quote or another backslash is removed; elsewhere it stays, as in regular expressions. */
const unescaped = (text: string) => text.replace(/\\(["\\])/g, '$1')

/** Throws `AclError` if the text has something that is not a token. */
export function tokensOf(text: string): AclToken[] {
  const tokens: AclToken[] = []
  let [at, line, start] = [0, 1, 0]
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) at += found[0].length
    return found
  }
  while (at < text.length) {
    if (text[at] === '\n') {
      at += 1
      line += 1
      start = at
      continue
    }
    if (take(space)) continue
    const place = { line, column: at - start + 1 }
    const quoted = take(string)
    if (quoted) tokens.push({ ...place, kind: 'string', text: unescaped(quoted[1]!) })
    else {
      const bare = take(word)
      const found = bare ?? take(sign)
      if (!found)
        throw new AclError({ ...place, text: text[at]! }, text[at] === '"' ? 'openString' : 'unknownCharacter')
      tokens.push({ ...place, kind: bare ? 'word' : 'sign', text: found[0] })
    }
  }
  tokens.push({ kind: 'end', text: '', line, column: at - start + 1 })
  return tokens
}
