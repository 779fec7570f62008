/** Turns logged paths into templates: what differs from one request to the next becomes a parameter. */

export type LoggedPath = { verb: string; path: string; requests: number; names: string[] }

type Schema = { type: string; format?: string }
type Gap = { name: string; schema: Schema }
export type LoggedTemplate = LoggedPath & { gaps: Gap[] }

/** With more names than this at one place, they are values. */
const siblingsMax = 20
const segmentsMax = 20
const nameMax = 100

type Place = {
  names: Map<string, Place>
  /** Where numbers, UUIDs and other values lead, by their type. */
  values: Map<string, Place>
  verbs: Map<string, { requests: number; names: Set<string> }>
}
const emptyPlace = (): Place => ({ names: new Map(), values: new Map(), verbs: new Map() })

const kinds: readonly [string, RegExp, Schema][] = [
  ['number', /^\d+$/, { type: 'integer' }],
  ['uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, { type: 'string', format: 'uuid' }],
  ['value', /^(?=.*\d)[0-9a-f]{12,}$|^(?=.*\d)(?=.*[A-Za-z])[\w-]{20,}$/i, { type: 'string' }],
]

/** Most requested first. */
export function templatesOf(rows: readonly LoggedPath[]): LoggedTemplate[] {
  const root = emptyPlace()
  for (const row of rows) if (isUsable(row.path)) take(root, row)
  join(root)
  const found: LoggedTemplate[] = []
  tell(root, '', [], found)
  return found.sort((a, b) => b.requests - a.requests || (`${a.path} ${a.verb}` < `${b.path} ${b.verb}` ? -1 : 1))
}

const isUsable = (path: string): boolean =>
  path.startsWith('/') && path.length <= 1000 && path.split('/').length <= segmentsMax && !path.includes('\uFFFD')

function take(root: Place, { path, verb, requests, names }: LoggedPath): void {
  let at = root
  for (const segment of path.slice(1).split('/')) {
    const kind = kinds.find(([, pattern]) => pattern.test(segment))?.[0]
    const map = kind === undefined ? at.names : at.values
    const key = kind ?? segment
    const next = map.get(key) ?? emptyPlace()
    map.set(key, next)
    at = next
  }
  const known = at.verbs.get(verb) ?? { requests: 0, names: new Set() }
  known.requests += requests
  for (const name of names) {
    const plain = decoded(name)
    if (plain !== '' && plain.length <= nameMax) known.names.add(plain)
  }
  at.verbs.set(verb, known)
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '))
  } catch {
    return ''
  }
}

/** Merges values of several types, or too many names, at one place into a single parameter. */
function join(place: Place): void {
  if (place.names.size > siblingsMax) {
    const other = place.values.get('value') ?? emptyPlace()
    for (const next of place.names.values()) merge(other, next)
    place.names.clear()
    place.values.set('value', other)
  }
  if (place.values.size > 1) {
    const all = emptyPlace()
    for (const next of place.values.values()) merge(all, next)
    place.values = new Map([['value', all]])
  }
  for (const next of [...place.names.values(), ...place.values.values()]) join(next)
}

function merge(to: Place, from: Place): void {
  for (const part of ['names', 'values'] as const) {
    for (const [key, next] of from[part]) {
      const known = to[part].get(key)
      if (known) merge(known, next)
      else to[part].set(key, next)
    }
  }
  for (const [verb, { requests, names }] of from.verbs) {
    const known = to.verbs.get(verb) ?? { requests: 0, names: new Set() }
    known.requests += requests
    for (const name of names) known.names.add(name)
    to.verbs.set(verb, known)
  }
}

function tell(place: Place, path: string, gaps: readonly Gap[], found: LoggedTemplate[]): void {
  for (const [verb, { requests, names }] of place.verbs)
    found.push({ verb, path, requests, names: [...names].sort(), gaps: [...gaps] })
  for (const [name, next] of place.names) tell(next, `${path}/${encodeURIComponent(name)}`, gaps, found)
  for (const [kind, next] of place.values) {
    const name = gaps.length === 0 ? 'id' : `id${gaps.length + 1}`
    const schema = kinds.find(([known]) => known === kind)![2]
    tell(next, `${path}/{${name}}`, [...gaps, { name, schema }], found)
  }
}
