/**
 * Checks decoded JSON at run time. A shape returns what is wrong with a value, or undefined: an artefact is accepted or
 * rejected as a whole.
 */

/** Returns the problem, after the path to it: ` is no text`, `.name is no text`, `[1] is no text`. */
export type Shape = (value: unknown) => string | undefined

export const text: Shape = (value) => (typeof value === 'string' ? undefined : ' is no text')

export const amount: Shape = (value) => (typeof value === 'number' ? undefined : ' is no number')

export const whole: Shape = (value) =>
  typeof value === 'number' && Math.floor(value) === value ? undefined : ' is no whole number'

export const flag: Shape = (value) => (typeof value === 'boolean' ? undefined : ' is no boolean')

/** Lower-case hexadecimal SHA-256. The check also keeps a name from leaving its folder. */
export const hash: Shape = (value) => {
  if (typeof value !== 'string' || value.length !== 64) return ' is no hash'
  for (let i = 0; i < 64; i++) {
    const code = value.charCodeAt(i)
    const isHex = (code >= 48 && code <= 57) || (code >= 97 && code <= 102)
    if (!isHex) return ' is no hash'
  }
  return undefined
}

export function oneOf(...words: string[]): Shape {
  return (value) => (words.includes(value as string) ? undefined : ` is none of ${words.join(', ')}`)
}

export function optional(shape: Shape): Shape {
  return (value) => (value === undefined ? undefined : shape(value))
}

export function listOf(shape: Shape): Shape {
  return (value) => {
    if (!Array.isArray(value)) return ' is no list'
    const items = value as unknown[]
    for (let i = 0; i < items.length; i++) {
      const problem = shape(items[i])
      if (problem !== undefined) return `[${i}]${problem}`
    }
    return undefined
  }
}

/**
 * An object with these fields. `strict` rejects others: a firewall field that this node does not know may be what
 * protects the site, so it is never silently ignored.
 */
export function record(fields: Record<string, Shape>, strict = false): Shape {
  return (value) => {
    if (typeof value !== 'object' || value === null) return ' is no object'
    const given = value as Record<string, unknown>
    for (const name in fields) {
      const problem = fields[name]!(given[name])
      if (problem !== undefined) return `.${name}${problem}`
    }
    if (strict) {
      for (const name in given) if (fields[name] === undefined) return `.${name} is unknown`
    }
    return undefined
  }
}

/**
 * What is wrong with a value, with the path to it, or undefined if it is valid. The path is only put together for an
 * invalid one.
 */
export function problemOf(shape: Shape, value: unknown, path: string): string | undefined {
  const problem = shape(value)
  if (problem === undefined) return undefined
  return path === '' && problem.startsWith('.') ? problem.substring(1) : path + problem
}
