/** Checks of decoded JSON at run time. A shape says what is wrong with a value, or nothing: an artefact is never half believed. */

export type Shape = (value: unknown, path: string) => string | undefined

export const text: Shape = (value, path) => (typeof value === 'string' ? undefined : `${path} is no text`)

export const amount: Shape = (value, path) => (typeof value === 'number' ? undefined : `${path} is no number`)

export const whole: Shape = (value, path) =>
  typeof value === 'number' && Math.floor(value) === value ? undefined : `${path} is no whole number`

export const flag: Shape = (value, path) => (typeof value === 'boolean' ? undefined : `${path} is no boolean`)

/** Lower-case hexadecimal SHA-256: also what keeps a name from leaving its folder. */
export const hash: Shape = (value, path) => {
  if (typeof value !== 'string' || value.length !== 64) return `${path} is no hash`
  for (let i = 0; i < 64; i++) {
    const code = value.charCodeAt(i)
    const isHex = (code >= 48 && code <= 57) || (code >= 97 && code <= 102)
    if (!isHex) return `${path} is no hash`
  }
  return undefined
}

export function oneOf(...words: string[]): Shape {
  return (value, path) => (words.includes(value as string) ? undefined : `${path} is none of ${words.join(', ')}`)
}

export function optional(shape: Shape): Shape {
  return (value, path) => (value === undefined ? undefined : shape(value, path))
}

export function listOf(shape: Shape): Shape {
  return (value, path) => {
    if (!Array.isArray(value)) return `${path} is no list`
    const items = value as unknown[]
    for (let i = 0; i < items.length; i++) {
      const problem = shape(items[i], `${path}[${i}]`)
      if (problem !== undefined) return problem
    }
    return undefined
  }
}

/**
 * An object with these fields. `strict` refuses others: a field of the firewall that this node does not know may be what
 * protects the site, and is never silently ignored (DESIGN §4.9).
 */
export function record(fields: Record<string, Shape>, strict = false): Shape {
  return (value, path) => {
    if (typeof value !== 'object' || value === null) return `${path} is no object`
    const given = value as Record<string, unknown>
    for (const name in fields) {
      const problem = fields[name]!(given[name], path === '' ? name : `${path}.${name}`)
      if (problem !== undefined) return problem
    }
    if (strict) {
      for (const name in given) if (fields[name] === undefined) return `${path}.${name} is unknown`
    }
    return undefined
  }
}
