/**
 * Cross-origin requests (Fetch, 3.2): which pages of other origins may read an answer. The edge's CORS headers replace
 * the origin's, so that one stored answer serves every page. Pure.
 */
import type { CorsPart } from '@breakwater/contract/edge/module-parts.ts'

export type Cors = {
  /** Whether every origin may read; the answer is then `*`. */
  isForAll: boolean
  exact: Record<string, boolean>
  /** What precedes and follows a `*`. */
  below: { scheme: string; suffix: string }[]
  methods: string
  /** '' for none, `*` for whichever headers are requested. */
  headers: string
  /** '' for none. */
  exposed: string
  credentials: boolean
  maxAge: string
  /** Origins seen recently, and whether they may read: the same few come again and again. */
  known: Record<string, boolean>
  knownCount: number
}

const knownMax = 256
/** Browsers send no longer Origin than this. */
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

/** Whether pages of an origin may read the answer. */
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

/** Whether the text contains nothing that could end the host before the suffix. */
function isName(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (nameBytes.indexOf(text.charAt(at)) < 0) return false
  return true
}
