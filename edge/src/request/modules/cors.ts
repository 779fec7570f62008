/**
 * Cross-origin requests (Fetch, 3.2): which pages of other origins may read an answer. What the edge says replaces what
 * the origin said, so that one stored answer serves every page. Pure.
 */
import type { CorsPart } from '@breakwater/contract/edge/module-parts.ts'

export type Cors = {
  /** Whether every origin may read, and is told so with `*`. */
  isForAll: boolean
  exact: Record<string, boolean>
  /** What comes before and behind a `*`. */
  below: { scheme: string; suffix: string }[]
  methods: string
  /** '' for none, `*` for those that are asked for. */
  headers: string
  /** '' for none. */
  exposed: string
  credentials: boolean
  maxAge: string
  /** Origins that asked lately, and whether they may read: the same few ask again and again. */
  known: Record<string, boolean>
  knownCount: number
}

const knownMax = 256
/** A browser sends no longer one. */
const originMax = 300

export function compileCors(part: CorsPart): Cors {
  const exact: Record<string, boolean> = {}
  const below: Cors['below'] = []
  let isForAll = false
  for (const origin of part.origins) {
    const star = origin.indexOf('://*.')
    if (origin === '*') isForAll = true
    else if (star >= 0) below.push({ scheme: origin.substring(0, star + 3), suffix: origin.substring(star + 4) })
    else exact[origin] = true
  }
  return {
    isForAll,
    exact,
    below,
    methods: part.methods.join(', '),
    headers: part.headers.includes('*') ? '*' : part.headers.join(', '),
    exposed: part.exposeHeaders.join(', '),
    credentials: part.credentials,
    maxAge: `${part.maxAge}`,
    known: {},
    knownCount: 0,
  }
}

/** Whether pages of an origin may read. */
export function mayRead(cors: Cors, origin: string): boolean {
  if (cors.isForAll) return true
  const before = cors.known[origin]
  if (before !== undefined) return before
  if (origin.length > originMax) return false
  const may = isListed(cors, origin.toLowerCase())
  if (cors.knownCount >= knownMax) {
    cors.known = {}
    cors.knownCount = 0
  }
  cors.known[origin] = may
  cors.knownCount++
  return may
}

function isListed(cors: Cors, origin: string): boolean {
  if (cors.exact[origin] === true) return true
  for (const { scheme, suffix } of cors.below) {
    const start = origin.length - suffix.length
    if (start <= scheme.length || !origin.startsWith(scheme) || origin.substring(start) !== suffix) continue
    if (isName(origin.substring(scheme.length, start))) return true
  }
  return false
}

const nameBytes = 'abcdefghijklmnopqrstuvwxyz0123456789-.'

/** Whether nothing in it could end the host before the suffix. */
function isName(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (nameBytes.indexOf(text.charAt(at)) < 0) return false
  return true
}
