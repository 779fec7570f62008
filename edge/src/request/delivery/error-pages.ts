/** A site's own error pages in place of the edge's, split at their placeholders. Pure. */

import type { ErrorPagesPart } from '@breakwater/contract/edge/site-parts.ts'
import { trimmed } from '../lib/trimmed.ts'

/** The values for the placeholders. */
export type Filled = { reference: string; host: string; status: string }
type Piece = { text: string } | { name: keyof Filled }

export type ErrorPage = { pieces: Piece[]; intercept: boolean }
/** By status or cause. */
export type ErrorPages = Record<number, ErrorPage>

const names: readonly (keyof Filled)[] = ['reference', 'host', 'status']

/** The first part that has a page for a status wins: the site's own part precedes the operator's. */
export function compileErrorPages(parts: readonly ErrorPagesPart[]): ErrorPages {
  const compiled: ErrorPages = {}
  for (const { pages } of parts)
    for (const { status, content, intercept } of pages) compiled[status] ??= { pieces: cut(content), intercept }
  return compiled
}

function cut(content: string): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (let at = content.indexOf('{{'); at >= 0; at = content.indexOf('{{', at + 2)) {
    const end = content.indexOf('}}', at)
    const name = end < 0 ? '' : trimmed(content.substring(at + 2, end))
    const known = names.find((one) => one === name)
    if (known === undefined) continue
    pieces.push({ text: content.substring(from, at) })
    pieces.push({ name: known })
    from = end + 2
  }
  pieces.push({ text: content.substring(from) })
  return pieces
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escaped(text: string): string {
  let out = ''
  for (let at = 0; at < text.length; at++) out += escapes[text.charAt(at)] ?? text.charAt(at)
  return out
}

export function fillPage({ pieces }: ErrorPage, filled: Filled): string {
  const texts: string[] = []
  for (const piece of pieces) texts.push('name' in piece ? escaped(filled[piece.name]) : piece.text)
  return texts.join('')
}
