/** Protocol sanity: rejects what no honest client sends, and what makes two parsers disagree about a request. */

import { causes } from '@breakwater/contract/edge/causes.ts'
import type { EdgeRequest, Guard, Tools, Verdict } from '../lib/guard.ts'
import { trimmed } from '../lib/trimmed.ts'

export const headersMax = 100
export const argumentsMax = 500

/** Headers that frame or route a message: naming one in `Connection` asks the next hop to drop it. */
const framing = ['host', 'content-length', 'transfer-encoding', 'te', 'trailer', 'authorization', 'cookie']

/** The verdict for a malformed request: 400. */
export function malformed(): Verdict {
  return { action: 'block', guard: 'protocol', rule: 0, cause: causes.drop, status: 400, blockType: 0 }
}

/** Whether a `Connection` header names a framing header. The two most common values are checked first. */
function isHostileConnection(value: string | undefined): boolean {
  if (value === undefined || value === 'keep-alive' || value === 'close') return false
  const lower = value.toLowerCase()
  for (const part of lower.split(',')) if (framing.includes(trimmed(part))) return true
  return lower.indexOf('x-forwarded-') >= 0 || lower.indexOf('x-real-ip') >= 0
}

/** Line breaks and NUL in a path target parsers that stop there. */
function hasControl(path: string): boolean {
  return path.indexOf('\n') >= 0 || path.indexOf('\r') >= 0 || path.indexOf('\0') >= 0
}

function hasManyArguments(query: string): boolean {
  if (query.length <= argumentsMax) return false
  let count = 1
  let at = query.indexOf('&')
  while (at >= 0) {
    count++
    if (count > argumentsMax) return true
    at = query.indexOf('&', at + 1)
  }
  return false
}

export const protocol: Guard<true, 'none'> = {
  name: 'protocol',
  takes: 'none',
  phase: 'line',
  compile: () => true,
  check(_: true, request: EdgeRequest, tools: Tools) {
    if (request.host === '' || hasControl(request.path)) return malformed()
    if (request.query !== '') {
      if (request.query.indexOf('%00') >= 0 || hasManyArguments(request.query)) return malformed()
    }
    if (isHostileConnection(tools.header('connection')) || tools.headerCount() > headersMax) return malformed()
    return undefined
  },
}
