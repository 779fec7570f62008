/**
 * Combines many regular expressions into one that matches if any of them does. Common prefixes are written only once:
 * the rules of a site resemble each other, so a path that matches none is dismissed by its first characters, instead of
 * being tried against each expression, whose machine code would not be in the CPU cache.
 *
 * Written for the subset that customers may use (contract/src/url-regex.ts); anything else is joined unchanged.
 */

const code = (char: string): number => char.charCodeAt(0)
const backslash = code('\\')
const [open, close, classOpen, classClose] = [code('('), code(')'), code('['), code(']')]
const [braceOpen, braceClose] = [code('{'), code('}')]
const [bar, caret, colon, question, star] = [code('|'), code('^'), code(':'), code('?'), code('*')]

const isDigit = (at: number): boolean => at >= 48 && at <= 57

/**
 * Escapes that stand for one character, or one of a class. Others may be an assertion, a group reference, or affect
 * what follows.
 */
const plainEscapes = 'dDwWsSnrtf'

/** The position after an escape, or -1. */
function afterEscape(source: string, at: number): number {
  if (at + 1 >= source.length) return -1
  const next = source.charCodeAt(at + 1)
  const isWord = isDigit(next) || (next >= 65 && next <= 90) || (next >= 97 && next <= 122)
  return isWord && plainEscapes.indexOf(source.charAt(at + 1)) < 0 ? -1 : at + 2
}

/** The position after a character class, or -1. */
function afterClass(source: string, from: number): number {
  let at = from + 1
  if (source.charCodeAt(at) === caret) at++
  if (source.charCodeAt(at) === classClose) at++
  while (at < source.length) {
    const char = source.charCodeAt(at)
    if (char === classClose) return at + 1
    // `[:alpha:]` contains a bracket of its own.
    if (char === classOpen) return -1
    at = char === backslash ? afterEscape(source, at) : at + 1
    if (at < 0) return -1
  }
  return -1
}

/** The position after a group, or -1. */
function afterGroup(source: string, from: number): number {
  let at = from + 1
  if (source.charCodeAt(at) === star) return -1
  if (source.charCodeAt(at) === question) {
    if (source.charCodeAt(at + 1) !== colon) return -1
    at += 2
  }
  while (at < source.length) {
    const char = source.charCodeAt(at)
    if (char === close) return at + 1
    at = afterPiece(source, at)
    if (at < 0) return -1
  }
  return -1
}

/** The position after one character, class, escape or group, or -1. */
function afterPiece(source: string, at: number): number {
  const char = source.charCodeAt(at)
  if (char === backslash) return afterEscape(source, at)
  if (char === classOpen) return afterClass(source, at)
  if (char === open) return afterGroup(source, at)
  return at + 1
}

/** The position after `*`, `+`, `?` or `{n,m}`, and a following `?` or `+`, if there is one. */
function afterQuantifier(source: string, from: number): number {
  let at = from
  const char = source.charAt(at)
  if (char === '*' || char === '+' || char === '?') at++
  else if (char === '{') {
    at++
    if (!isDigit(source.charCodeAt(at))) return from
    while (isDigit(source.charCodeAt(at)) || source.charAt(at) === ',') at++
    if (source.charAt(at) !== '}') return from
    at++
  } else return from
  const next = source.charAt(at)
  return next === '?' || next === '+' ? at + 1 : at
}

/** The pieces of an expression in order, each with its quantifier. Returns undefined if it is not understood. */
function piecesOf(source: string): string[] | undefined {
  const pieces: string[] = []
  let hasAlternatives = false
  let at = 0
  while (at < source.length) {
    const char = source.charCodeAt(at)
    if (char === bar) hasAlternatives = true
    if (char === close || char === braceOpen || char === braceClose) return undefined
    const piece = afterPiece(source, at)
    if (piece < 0) return undefined
    const end = afterQuantifier(source, piece)
    pieces.push(source.substring(at, end))
    at = end
  }
  return hasAlternatives ? [`(?:${source})`] : pieces
}

/** Merges the alternatives from one position on. If one of them ends there, the others add nothing. */
function merged(alternatives: string[][], from: number): string {
  const first = alternatives[0]!
  let at = from
  while (at < first.length && alternatives.every((one) => one[at] === first[at])) at++
  const common = first.slice(from, at).join('')
  if (alternatives.some((one) => one.length === at)) return common
  const groups: Record<string, string[][]> = {}
  const order: string[] = []
  for (const one of alternatives) {
    const next = one[at]!
    if (groups[next] === undefined) {
      groups[next] = []
      order.push(next)
    }
    groups[next]!.push(one)
  }
  return `${common}(?:${order.map((next) => merged(groups[next]!, at)).join('|')})`
}

/** Combines all expressions into one. */
export function anyOf(sources: readonly string[]): string {
  const alternatives: string[][] = []
  for (const source of sources) {
    const pieces = piecesOf(source)
    if (pieces === undefined) return sources.map((one) => `(?:${one})`).join('|')
    alternatives.push(pieces)
  }
  return merged(alternatives, 0)
}

const special = '^$.*+?()[]{}|'

/** The literal text with which every match of an expression begins, if it starts with `^`; empty if it is unknown. */
export function literalBeginning(source: string): string {
  const pieces = source.charCodeAt(0) === caret ? (piecesOf(source) ?? []) : []
  let beginning = ''
  for (let at = 1; at < pieces.length; at++) {
    const piece = pieces[at]!
    if (piece.length === 1 && special.indexOf(piece) < 0) beginning += piece
    else if (isEscapedMark(piece)) beginning += piece.charAt(1)
    else return beginning
  }
  return beginning
}

/** `\.` is a dot; an escaped letter or digit is a class. */
function isEscapedMark(piece: string): boolean {
  if (piece.length !== 2 || piece.charCodeAt(0) !== backslash) return false
  const next = piece.charCodeAt(1)
  return !isDigit(next) && !(next >= 65 && next <= 90) && !(next >= 97 && next <= 122)
}
